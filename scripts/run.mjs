// Runs a script of functions/ on the Node that comes with it, installing what it needs on first use and again when the
// lockfile has changed. Which Node runs what: docs/adr/0001-one-install-two-commands.md.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { endWithParent } from '../functions/scripts/end-with-parent.mjs';
import { npmCommand } from '../functions/scripts/npm-command.mjs';
import { bundledNode, install, nodeLink } from './packages.mjs';

const [script, ...args] = process.argv.slice(2);
const functions = fileURLToPath(new URL('../functions/', import.meta.url));
const windows = process.platform === 'win32';
const isIn = (...names) => names.includes(script);
const isTest = isIn('test', 'test:unit', 'test:long');
/** The Firebase CLI is as large as everything else together; with CI=true long tests skip nothing, so they need it too. */
const needsTools =
  isIn('emulators', 'shell', 'logs', 'deploy', 'firebase') || (script === 'test:long' && process.env.CI === 'true');
/** These show the dashboard's pages, or hold its code to the rules. */
const needsPages = isTest || isIn('build:pages', 'bench', 'start', 'emulators', 'deploy', 'check', 'fix', 'screenshots');
/** These play studies, or hold their code to the rules. */
const needsQuality = isTest || isIn('quality', 'small-model', 'check', 'fix');

// First the Node that installs the others.
await install('functions');
await Promise.all([
  needsPages && install('dashboard'),
  needsTools && install('tools'),
  needsQuality && install('quality'),
  script === 'small-model' && install('small-model'),
]);
await run(scriptOfFunctions(script));

/** The command of a script in functions/package.json, in words; through npm where it is more than one of Node. */
function scriptOfFunctions(name) {
  const { scripts } = JSON.parse(readFileSync(join(functions, 'package.json'), 'utf8'));
  const command = scripts[name];
  if (command === undefined) {
    console.error(`There is no script ${name}; those there are: ${Object.keys(scripts).join(', ')}`);
    process.exit(1);
  }
  const [, words] = /^node ([\w./: -]+)$/.exec(command) ?? [];
  return words ? { file: words.split(' ')[0], words: words.split(' ').slice(1) } : {};
}

async function run({ file, words }) {
  const bin = join(functions, 'node_modules', '.bin');
  process.env.PATH = [bin, process.env.PATH].join(delimiter);
  if (file === undefined) return runAside(npmCommand(['run', '--silent', script, ...(args.length > 0 ? ['--', ...args] : [])]));
  if (process.version === `v${bundledVersion()}`) return runHere(resolve(functions, file), [...words, ...args]);
  offerNode();
  return runAside([bundledNode, ...process.execArgv, file, ...words, ...args]);
}

function bundledVersion() {
  return JSON.parse(readFileSync(join(functions, 'node_modules', 'node', 'package.json'), 'utf8')).version;
}

/** Becomes the script: no process waits for another. */
function runHere(file, words) {
  process.chdir(functions);
  process.argv = [process.execPath, file, ...words];
  return import(pathToFileURL(file));
}

/** Lets npm start the root's scripts on our Node from the next time on. Where that cannot be, all goes on as it did. */
function offerNode() {
  // There a running program cannot be removed, which the next install would have to do.
  if (windows) return;
  try {
    mkdirSync(dirname(nodeLink), { recursive: true });
    rmSync(nodeLink, { force: true });
    symlinkSync(join('..', '..', 'functions', 'node_modules', 'node', 'bin', 'node'), nodeLink);
  } catch {
    // A folder that cannot be written to, or another start that was quicker.
  }
}

/** Runs a program in functions/ and ends as it ends. What tells this process to end is passed on: npm does the same. */
function runAside([program, ...words]) {
  const child = spawn(program, words, { cwd: functions, stdio: 'inherit' });
  // On Windows the console tells both, and to pass it on would be to end the other at once.
  const passOn = (signal) => windows || child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, passOn);
  endWithParent(() => child.kill('SIGTERM'));
  child.on('exit', (code) => process.exit(code ?? 1));
}
