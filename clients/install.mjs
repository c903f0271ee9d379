import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmCommand } from '../functions/scripts/npm-command.mjs';

const NPM_CI = npmCommand(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
const PIP_INSTALL = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '-r', 'requirements.txt'];

/** The languages of clients, by the file that lists what they need: how it is installed, and the version of a package in it. */
const LANGUAGES = {
  'package.json': { install: installNode, version: (name) => `"${name}": "([^"]+)"` },
  'requirements.txt': { install: installPython, version: (name) => `^${name}==(\\S+)$` },
  'go.mod': { install: installGo, version: (name) => `${name} v(\\S+)` },
  'Cargo.toml': { install: installRust, version: (name) => `^${name} = \\{ version = "=([^"]+)"` },
  'pom.xml': { install: installJava, version: (name) => `<artifactId>${name}</artifactId>\\s*<version>(\\d+\\.[^<]+)` },
};

/** The language of a client is not on this machine. */
export class NotInstalled extends Error {}

/** Installs what a client needs into its folder, where that has not been done; returns the words that start its script. */
export function install(folder) {
  return LANGUAGES[listIn(folder)].install(folder);
}

/** The version of a package that a client's folder holds it to. */
export function versionIn(folder, packageName) {
  const list = listIn(folder);
  return new RegExp(LANGUAGES[list].version(packageName), 'm').exec(readFileSync(join(folder, list), 'utf8'))?.[1];
}

function listIn(folder) {
  return Object.keys(LANGUAGES).find((list) => existsSync(join(folder, list)));
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

function installGo(folder) {
  needs('go', 'Go');
  const program = programIn(folder);
  must(['go', 'build', '-o', program, '.'], folder);
  return [program];
}

function installRust(folder) {
  needs('cargo', 'Rust');
  must(['cargo', 'build', '--quiet', '--locked', '--target-dir', join(folder, 'target')], folder);
  return [programIn(folder, 'debug')];
}

function installJava(folder) {
  needs('java', 'Java 17');
  needs('mvn', 'Maven');
  const libraries = join(folder, 'target', 'libraries');
  const copy = ['mvn', '--quiet', '--batch-mode', 'dependency:copy-dependencies', `-DoutputDirectory=${libraries}`];
  once(libraries, join(folder, 'pom.xml'), () => {
    rmSync(libraries, { recursive: true, force: true });
    must(copy, folder);
  });
  return ['java', '-cp', join(libraries, '*'), join(folder, 'Try.java')];
}

function programIn(folder, ...below) {
  return join(folder, 'target', ...below, process.platform === 'win32' ? 'clients.exe' : 'clients');
}

function needs(program, language) {
  if (spawnSync(program, ['--help'], { stdio: 'ignore' }).error) throw new NotInstalled(`it needs ${language}: no ${program} was found`);
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
