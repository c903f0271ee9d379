// Runs a script of functions/ on the Node that comes with it, installing what it needs on first use and again when the
// lockfile has changed. Which Node runs what: docs/adr/0001-one-install-two-commands.md.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { endWithParent } from '../functions/scripts/end-with-parent.mjs';
import { npmCommand } from '../functions/scripts/npm-command.mjs';
import { bundledNode, install } from './packages.mjs';

const [script, ...args] = process.argv.slice(2);
const functions = fileURLToPath(new URL('../functions/', import.meta.url));
const CODE = ['test', 'test:unit', 'test:long', 'check', 'fix'];
/** Scripts by the folders that they need besides functions/. With CI=true long tests skip nothing. */
const NEEDED_BY = {
  dashboard: [...CODE, 'build:pages', 'bench', 'start', 'emulators', 'deploy', 'screenshots'],
  tools: ['emulators', 'shell', 'logs', 'deploy', 'firebase', 'monitoring', ...(process.env.CI === 'true' ? ['test:long'] : [])],
  quality: [...CODE, 'quality', 'small-model'],
  'small-model': ['small-model'],
};

// First the Node that installs the others.
await install('functions');
const needed = Object.keys(NEEDED_BY).filter((folder) => NEEDED_BY[folder].includes(script));
await Promise.all(needed.map(install));
await run(scriptOfFunctions(script));

/** The command of a script in functions/package.json, in words; nothing where it is more than one of Node, or unknown: npm's. */
function scriptOfFunctions(name) {
  const { scripts } = JSON.parse(readFileSync(join(functions, 'package.json'), 'utf8'));
  const [, words] = /^node ([\w./: -]+)$/.exec(scripts[name] ?? '') ?? [];
  return words ? { file: words.split(' ')[0], words: words.split(' ').slice(1) } : {};
}

async function run({ file, words }) {
  const bin = join(functions, 'node_modules', '.bin');
  process.env.PATH = [bin, process.env.PATH].join(delimiter);
  if (file === undefined) return runAside(npmCommand(['run', '--silent', script, ...(args.length > 0 ? ['--', ...args] : [])]));
  const { version } = JSON.parse(readFileSync(join(functions, 'node_modules', 'node', 'package.json'), 'utf8'));
  if (process.version === `v${version}`) return runHere(resolve(functions, file), [...words, ...args]);
  return runAside([bundledNode, ...process.execArgv, file, ...words, ...args]);
}

/** Becomes the script: no process waits for another. */
function runHere(file, words) {
  process.chdir(functions);
  process.argv = [process.execPath, file, ...words];
  return import(pathToFileURL(file));
}

/** Runs a program in functions/ and ends as it ends. What tells this process to end is passed on: npm does the same. */
function runAside([program, ...words]) {
  const child = spawn(program, words, { cwd: functions, stdio: 'inherit' });
  // On Windows the console tells both, and to pass it on would be to end the other at once.
  const passOn = (signal) => process.platform === 'win32' || child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, passOn);
  endWithParent(() => child.kill('SIGTERM'));
  child.on('exit', (code) => process.exit(code ?? 1));
}
