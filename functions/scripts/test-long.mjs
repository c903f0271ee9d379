// The tests, all or those given, with more cases and new random ones.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const jest = fileURLToPath(new URL('../node_modules/jest/bin/jest.js', import.meta.url));
const env = { ...process.env, TEST_LONG: '1' };
const { status } = spawnSync(process.execPath, [jest, ...process.argv.slice(2)], { stdio: 'inherit', env });
process.exit(status ?? 1);
