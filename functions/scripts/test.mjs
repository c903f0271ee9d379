// Runs the tests: `npm test`, `npm run test:unit`, or with crashes, memory, hostile clients, browsers and deployments
// `npm run test:long`, whose random tests play new and more cases. What else is said is for Jest.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const USUAL = ['unit', 'whole', 'built', 'dashboard', 'quality', 'pages'];
const PROJECTS = {
  test: USUAL,
  unit: ['unit', 'dashboard'],
  long: ['long', 'long built', 'long quality', 'long pages', 'hosted'],
};

const [suite, ...args] = process.argv.slice(2);
const jest = fileURLToPath(new URL('../node_modules/jest/bin/jest.js', import.meta.url));
const env = { ...(suite === 'long' && { TEST_LONG: '1' }), ...process.env };
const chosen = args.includes('--selectProjects') ? [] : ['--selectProjects', ...PROJECTS[suite]];
const { status } = spawnSync(process.execPath, [jest, ...args, ...chosen], { stdio: 'inherit', env });
process.exit(status ?? 1);
