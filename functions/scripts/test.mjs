// Runs the tests: `npm test`, `npm run test:unit`, or with crashes, memory, hostile clients, browsers and deployments
// `npm run test:long`, whose random tests play new and more cases. `npm run screenshots` makes the images of docs/images
// again, with the pages as they are built, the real function and Chromium. What else is said is for Jest.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROJECTS = {
  test: ['unit', 'whole', 'built', 'dashboard', 'quality', 'pages'],
  unit: ['unit', 'dashboard'],
  long: ['long', 'long built', 'long quality', 'long pages', 'hosted'],
  screenshots: ['screenshots'],
};
/** Without Chromium the screenshots fail and do not skip. */
const SETTINGS = { long: { TEST_LONG: '1' }, screenshots: { SCREENSHOTS: '1', CI: 'true' } };

const [suite, ...args] = process.argv.slice(2);
const jest = fileURLToPath(new URL('../node_modules/jest/bin/jest.js', import.meta.url));
const env = { ...SETTINGS[suite], ...process.env };
const chosen = args.includes('--selectProjects') ? [] : ['--selectProjects', ...PROJECTS[suite]];
const { status } = spawnSync(process.execPath, [jest, ...args, ...chosen], { stdio: 'inherit', env });
process.exit(status ?? 1);
