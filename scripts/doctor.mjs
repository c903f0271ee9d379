// Says what keeps the service from working on this machine, and the command that mends it. Needs nothing installed: what
// only the built service can tell is asked where it can be built.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FLAG, readOptions } from '../functions/scripts/options.mjs';
import { bundledNode, isInstalled } from './packages.mjs';

const USAGE = `usage: npm run doctor [-- --call] [-- --json]

Looks at this machine, the settings and what they lead to; says what is wrong and which command mends it.

  --call  asks a model of each provider for a word, which costs a fraction of a cent
  --json  one JSON value on stdout

Exit code: 0 nothing is wrong, 1 something is, 2 wrong usage.`;
/** Whatever the settings lead to: a diagnosis ends. */
const RUN_MAX_MS = 90_000;
const NODE_LEAST = [20, 12];

const options = readOptions(USAGE, { call: FLAG, json: FLAG });
const findings = [nodeFinding(), packagesFinding(), emulatorsFinding(), ...serviceFindings()];
const ok = findings.every(({ status }) => status !== 'wrong');
if (options.json) console.log(JSON.stringify({ ok, findings }));
else {
  for (const { check, status, says, mend } of findings) {
    console.log(`${status.padEnd(8)}${check}: ${says}${mend ? `\n        → ${mend}` : ''}`);
  }
}
process.exit(ok ? 0 : 1);

function nodeFinding() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const isNew = major > NODE_LEAST[0] || (major === NODE_LEAST[0] && minor >= NODE_LEAST[1]);
  const finding = { check: 'Node', status: 'ok', says: process.versions.node };
  if (isNew) return finding;
  const says = `${finding.says} is older than ${NODE_LEAST.join('.')}`;
  return { ...finding, status: 'wrong', says, mend: 'install a newer one: https://nodejs.org' };
}

function packagesFinding() {
  const check = 'packages';
  if (isInstalled('functions')) return { check, status: 'ok', says: 'installed' };
  const says = 'not yet installed, or not those of the lockfile, or not known to load here';
  return { check, status: 'warning', says, mend: 'npm start' };
}

/** Only the emulators and deployments need these. */
function emulatorsFinding() {
  const check = 'emulators';
  const there = ['hidane', 'java'].find((name) => !spawnSync(name, ['--version'], { stdio: 'ignore' }).error);
  if (there) return { check, status: 'ok', says: `${there} is there; of Java they need version 21 or newer` };
  const mend = 'cargo install hidane --version 0.6.0 --locked, or install Java 21';
  return { check, status: 'warning', says: 'neither hidane nor Java is there: npm run emulators cannot work', mend };
}

/** Findings of the built service about its settings and what they lead to. */
function serviceFindings() {
  const check = 'service';
  if (!existsSync(bundledNode)) {
    const says = 'settings, providers and store can be looked at once the packages are installed';
    return [{ check, status: 'warning', says, mend: 'npm start, then npm run doctor' }];
  }
  const place = { cwd: fileURLToPath(new URL('../functions/', import.meta.url)), encoding: 'utf8', timeout: RUN_MAX_MS };
  const run = (...args) => spawnSync(bundledNode, args, place);
  if (run('scripts/build.mjs').status !== 0) {
    return [{ check, status: 'wrong', says: 'lib/ cannot be built', mend: 'npm run check, which says why' }];
  }
  const { status, stdout } = run('lib/doctor.js', ...(options.call ? ['--call'] : []));
  if (status !== 0) return [{ check, status: 'wrong', says: 'it cannot be loaded', mend: 'npm start, which says why' }];
  const { findings, callable } = JSON.parse(stdout.trim().split('\n').at(-1));
  if (options.call || callable.length === 0) return findings;
  const says = `not called: ${callable.join(', ')}`;
  return [...findings, { check: 'provider', status: 'warning', says, mend: 'npm run doctor -- --call' }];
}
