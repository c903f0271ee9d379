// Says what keeps the service from working on this machine, and the command that mends it. Needs nothing installed: what
// only the built service can tell is asked where it can be built.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { npmCommand } from '../functions/scripts/npm-command.mjs';
import { bundledNode, installState } from './packages.mjs';

const USAGE = `usage: npm run doctor [-- --call] [-- --json]

Looks at this machine, the settings and what they lead to; says what is wrong and which command mends it.

  --call  asks a model of each provider for a word, which costs a fraction of a cent
  --json  one JSON value on stdout
  --help  this text

Exit code: 0 nothing is wrong, 1 something is, 2 wrong usage.`;
/** Whatever the settings lead to: a diagnosis ends. */
const RUN_MAX_MS = 90_000;
const NODE_LEAST = [20, 12];
const functions = fileURLToPath(new URL('../functions/', import.meta.url));
const options = process.argv.slice(2);
const [json, call] = ['--json', '--call'].map((name) => options.includes(name));
if (options.includes('--help')) {
  console.log(USAGE);
  process.exit(0);
}
if (options.some((option) => !['--json', '--call'].includes(option))) {
  console.error(USAGE);
  process.exit(2);
}

const machine = [nodeFinding(), npmFinding(), dependencies(), ...emulators()];
const service = await serviceFindings();
const findings = [...machine, ...service];
const ok = findings.every(({ status }) => status !== 'wrong');
if (json) console.log(JSON.stringify({ ok, findings }));
else show();
process.exit(ok ? 0 : 1);

function show() {
  for (const { check, status, says, mend } of findings) {
    console.log(`${status.padEnd(8)}${check}: ${says}${mend ? `\n        → ${mend}` : ''}`);
  }
}

function nodeFinding() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const isNew = major > NODE_LEAST[0] || (major === NODE_LEAST[0] && minor >= NODE_LEAST[1]);
  if (isNew) return { check: 'Node', status: 'ok', says: process.versions.node };
  const says = `${process.versions.node} is older than ${NODE_LEAST.join('.')}`;
  return { check: 'Node', status: 'wrong', says, mend: 'install a newer one: https://nodejs.org' };
}

function npmFinding() {
  const [program, ...words] = npmCommand(['--version']);
  const { status, stdout } = spawnSync(program, words, { encoding: 'utf8' });
  if (status === 0) return { check: 'npm', status: 'ok', says: stdout.trim() };
  return { check: 'npm', status: 'wrong', says: 'cannot be run', mend: 'it comes with Node: https://nodejs.org' };
}

function dependencies() {
  const check = 'packages';
  const state = installState('functions');
  if (state === 'installed') return { check, status: 'ok', says: 'installed' };
  const says = state === 'missing' ? 'not yet installed' : 'not those of the lockfile, or not known to load here';
  return { check, status: 'warning', says, mend: 'npm start' };
}

/** Only the emulators and deployments need these. */
function emulators() {
  const has = (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
  const check = 'emulators';
  if (has('hidane')) return [{ check, status: 'ok', says: 'hidane is there' }];
  if (has('java')) return [{ check, status: 'ok', says: 'Java is there; version 21 or newer is needed' }];
  const mend = 'cargo install hidane --version 0.6.0 --locked, or install Java 21';
  return [{ check, status: 'warning', says: 'neither hidane nor Java is there: npm run emulators cannot work', mend }];
}

/** What the built service says of its settings and of what they lead to. */
async function serviceFindings() {
  const check = 'service';
  if (!existsSync(bundledNode)) {
    const says = 'settings, providers and store can be looked at once the packages are installed';
    return [{ check, status: 'warning', says, mend: 'npm start, then npm run doctor' }];
  }
  const run = (...args) => spawnSync(bundledNode, args, { cwd: functions, encoding: 'utf8', timeout: RUN_MAX_MS });
  const built = run('scripts/build.mjs');
  if (built.status !== 0) {
    return [{ check, status: 'wrong', says: 'lib/ cannot be built', mend: 'npm run check, which says why' }];
  }
  const ask = (...args) => {
    const { status, stdout } = run('lib/doctor.js', ...args);
    if (status === 0) return JSON.parse(stdout.trim().split('\n').at(-1));
    return { callable: [], findings: [{ check, status: 'wrong', says: 'it cannot be loaded', mend: 'npm start, which says why' }] };
  };
  const before = ask(...(call ? ['--call'] : []));
  if (call || before.callable.length === 0) return before.findings;
  if (await consents(before.callable)) return ask('--call').findings;
  const says = `not called: ${before.callable.join(', ')}`;
  return [...before.findings, { check: 'provider', status: 'warning', says, mend: 'npm run doctor -- --call' }];
}

/** Asks a person; a program has `--call`. */
async function consents(models) {
  if (json || !process.stdin.isTTY || !process.stdout.isTTY) return false;
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`Ask ${models.join(', ')} for a word (a fraction of a cent)? [y/N] `);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
