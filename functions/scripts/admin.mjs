// Runs the operator CLI from its bundle, building it when the bundle is missing or older than the sources.
import { spawnSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';

if (builtAtMs('lib/admin.js') < Math.max(...globSync('src/**/*.ts').map(builtAtMs))) run(['scripts/build.mjs']);
run(['lib/admin.js', ...process.argv.slice(2)]);

function builtAtMs(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function run(args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
