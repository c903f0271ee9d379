// Makes the images of the dashboard in docs/images again, with the pages as they are built, the real function and Chromium.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const jest = fileURLToPath(new URL('../node_modules/jest/bin/jest.js', import.meta.url));
// Without Chromium it fails and does not skip.
const env = { ...process.env, SCREENSHOTS: '1', CI: 'true' };
const { status } = spawnSync(process.execPath, [jest, '--selectProjects', 'screenshots'], { stdio: 'inherit', env });
process.exit(status ?? 1);
