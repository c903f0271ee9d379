import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmCommand } from '../functions/scripts/npm-command.mjs';

const NPM_CI = npmCommand(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
const PIP_INSTALL = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '-r', 'requirements.txt'];

/** Installs what a client needs into its folder, where that has not been done; returns what starts its script. */
export function install(folder) {
  return existsSync(join(folder, 'package.json')) ? installNode(folder) : installPython(folder);
}

function installNode(folder) {
  once(join(folder, 'node_modules'), join(folder, 'package-lock.json'), () => must(NPM_CI, folder));
  return [process.execPath, join(folder, 'try.mjs')];
}

function installPython(folder) {
  const environment = join(folder, '.venv');
  const python = join(environment, ...(process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python']));
  once(environment, join(folder, 'requirements.txt'), () => {
    rmSync(environment, { recursive: true, force: true });
    must([process.env.PYTHON || 'python3', '-m', 'venv', environment], folder);
    must([python, ...PIP_INSTALL], folder);
  });
  return [python, join(folder, 'try.py')];
}

/** Does it again when the list of what is installed has changed. */
function once(installed, list, work) {
  const marker = join(installed, '.installed');
  const hash = createHash('sha256').update(readFileSync(list)).digest('hex');
  if (existsSync(marker) && readFileSync(marker, 'utf8') === hash) return;
  console.error(`Installing ${list} (first run, or it has changed) ...`);
  work();
  writeFileSync(marker, hash);
}

function must([program, ...words], cwd) {
  const { status, error } = spawnSync(program, words, { cwd, stdio: ['ignore', 2, 'inherit'] });
  if (status !== 0) throw new Error(`${words.slice(0, 3).join(' ')} failed: ${error?.message ?? `code ${status}`}`);
}
