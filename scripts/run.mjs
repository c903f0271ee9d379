// Runs a script of functions/, installing what it needs on first use and again when the lockfile has changed.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { endWithParent } from '../functions/scripts/end-with-parent.mjs';

const [script, ...args] = process.argv.slice(2);
const functions = fileURLToPath(new URL('../functions/', import.meta.url));
const shell = process.platform === 'win32';
const tools = fileURLToPath(new URL('../tools/', import.meta.url));
const smallModel = fileURLToPath(new URL('../small-model/', import.meta.url));
// The Firebase CLI is as large as everything else together, and few need Stryker, which lies beside it. With CI=true the
// tests skip nothing, so they need the CLI too.
const needsTools = ['emulators', 'deploy', 'firebase', 'mutation'].includes(script) || (script === 'test' && process.env.CI === 'true');

install(functions);
if (needsTools) install(tools);
if (script === 'small-model') install(smallModel);
run(['run', '--silent', script, ...(args.length > 0 ? ['--', ...args] : [])]);

function install(folder) {
  const marker = `${folder}node_modules/.installed`;
  const lock = createHash('sha256').update(readFileSync(`${folder}package-lock.json`)).digest('hex');
  if (existsSync(marker) && readFileSync(marker, 'utf8') === lock) return;
  // Not on stdout: that belongs to the script, whose output may be read by another program.
  console.error('Installing dependencies (first run, or they have changed) ...');
  const words = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', words, { cwd: folder, stdio: ['inherit', 2, 'inherit'], shell });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(marker, lock);
}

/** Runs npm in functions/ and ends as it ends. What tells this process to end is passed on: npm does the same. */
function run(words) {
  const child = spawn('npm', words, { cwd: functions, stdio: 'inherit', shell });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  endWithParent(() => child.kill('SIGTERM'));
  child.on('exit', (code) => process.exit(code ?? 1));
}
