// Installs what a folder's lockfile names. The bundled Node comes with functions/, by whichever Node there is; all else is
// installed by npm on the bundled one, since npm leaves out optional packages that do not fit the Node it runs on, among
// them the native halves of build tools.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmCommand } from '../functions/scripts/npm-command.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const nodeFolder = join(root, 'functions', 'node_modules', 'node', 'bin');
export const bundledNode = join(nodeFolder, process.platform === 'win32' ? 'node.exe' : 'node');

/** Packages whose native half is made for one platform and some versions of Node, or that load such a one. */
const NATIVE = { functions: ['esbuild', '@swc/core', 'knip'], dashboard: ['vite', 'sharp'], tools: [], 'small-model': [], quality: [] };
/** The settings of npm on this machine, NODE_ENV among them, do not decide what belongs to a folder. */
const WHOLE = ['--include=dev', '--include=optional', '--engine-strict=false', '--no-audit', '--no-fund', '--loglevel=error'];

/** Installs one of the folders unless that has been done; ends the program where what npm installed cannot be loaded. */
export async function install(name) {
  const { folder, marker, lock, mark, known } = stateOf(name);
  if (known === mark) return;
  // An earlier mark, or one from another machine: what it stands for may load here.
  if (!known?.startsWith(lock) || loadFailure(name)) await installAnew(name);
  const failure = loadFailure(name);
  if (failure) {
    const hint =
      '\nNode comes by the install script of the package “node”: where npm may run none, set npm_config_ignore_scripts=false';
    const advice = existsSync(bundledNode) ? '' : hint;
    console.error(`What npm has installed in ${folder} cannot be loaded: ${failure}${advice}`);
    process.exit(1);
  }
  // Not into the file there is: that of a copy made of hard links is also another's.
  rmSync(marker, { force: true });
  writeFileSync(marker, mark);
}

/** True if a folder has the packages of its lockfile, and they are known to load on this machine. */
export function isInstalled(name) {
  const { mark, known } = stateOf(name);
  return known === mark;
}

function stateOf(name) {
  const folder = join(root, name);
  const marker = join(folder, 'node_modules', '.installed');
  const lock = createHash('sha256').update(readFileSync(join(folder, 'package-lock.json'))).digest('hex');
  const known = existsSync(marker) ? readFileSync(marker, 'utf8') : undefined;
  return { folder, marker, lock, mark: `${lock} loads on ${process.platform} ${process.arch}`, known };
}

async function installAnew(name) {
  // Not on stdout: that belongs to the script, whose output may be read by another program.
  console.error('Installing dependencies (first run, or they have changed) ...');
  const folder = join(root, name);
  // Nothing there needs its install scripts: they would compile re2 for minutes, which the Firebase CLI can do without.
  const scripts = name === 'tools' ? ['--ignore-scripts'] : [];
  if (name !== 'functions') return npm(['ci', ...WHOLE, ...scripts], { folder, node: bundledNode });
  await npm(['ci', ...WHOLE], { folder });
  // What it left out for the sake of the Node it ran on.
  if (existsSync(bundledNode)) await npm(['install', '--no-save', ...WHOLE], { folder, node: bundledNode });
}

/** Runs npm in a folder: on the bundled Node where it runs there, which Debian's does not, finding its parts by its own Node. */
async function npm(words, { folder, node }) {
  const onNode = { ...process.env, PATH: [nodeFolder, process.env.PATH].join(delimiter) };
  const [probe, ...probing] = npmCommand(['--version'], { node });
  const runs = node && spawnSync(probe, probing, { cwd: folder, env: onNode, stdio: 'ignore' }).status === 0;
  const [program, ...args] = npmCommand(words, runs ? { node } : {});
  const place = { cwd: folder, env: runs ? onNode : process.env, stdio: ['inherit', 2, 'inherit'] };
  const [status] = await once(spawn(program, args, place), 'exit');
  if (status !== 0) process.exit(status ?? 1);
}

/** Why the native packages of a folder cannot be loaded, or undefined. */
function loadFailure(name) {
  const program = `await Promise.all(${JSON.stringify(NATIVE[name])}.map((name) => import(name))); process.exit()`;
  const words = ['--input-type=module', '--eval', program];
  const { status, stderr, error } = spawnSync(bundledNode, words, { cwd: join(root, name), encoding: 'utf8' });
  if (status === 0) return undefined;
  return error?.message ?? /^\w*Error.*$/m.exec(stderr)?.[0] ?? `Node ended with ${status}`;
}
