// Runs the operator CLI from its bundle, building it when it is not there yet.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

if (!existsSync('lib/admin.js')) run(['scripts/build.mjs']);
run(['lib/admin.js', ...process.argv.slice(2)]);

function run(args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
