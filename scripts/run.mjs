// Runs a script of functions/, installing what it needs on first use and again when the lockfile has changed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [script, ...args] = process.argv.slice(2);
const functions = fileURLToPath(new URL('../functions/', import.meta.url));
const marker = `${functions}node_modules/.installed`;
const lock = createHash('sha256').update(readFileSync(`${functions}package-lock.json`)).digest('hex');

if (!existsSync(marker) || readFileSync(marker, 'utf8') !== lock) {
  console.log('Installing dependencies (first run, or they have changed) ...');
  npm(['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  writeFileSync(marker, lock);
}
npm(['run', '--silent', script, ...(args.length > 0 ? ['--', ...args] : [])]);

function npm(words) {
  const { status } = spawnSync('npm', words, { cwd: functions, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
}
