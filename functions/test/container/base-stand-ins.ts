import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, lstatSync, mkdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Mount } from './sandbox';

const FUNCTIONS = join(__dirname, '..', '..');
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib64'];
const DEVICES = ['/dev/null', '/dev/urandom'];

/** Lays out what stands for the base image of a stage; what the folder is to be joined with when something runs in it. */
export function layBase(image: string, root: string): Mount[] {
  for (const name of ['proc', 'dev', 'tmp']) mkdirSync(join(root, name), { recursive: true });
  for (const path of DEVICES) writeFileSync(root + path, '');
  const mounts = image.includes('distroless') ? layRuntimeBase(root) : layBuildBase(root);
  return [...mounts, ...DEVICES.map((path) => ({ from: path, to: path, isReadOnly: false }))];
}

/** In the place of a distroless image: Node and the libraries it is linked to, and not one program more. */
function layRuntimeBase(root: string): Mount[] {
  const libraries = execFileSync('ldd', [process.execPath], { encoding: 'utf8' }).match(/\/\S+/g) ?? [];
  for (const [from, to] of [...libraries.map((path) => [path, path]), [process.execPath, '/nodejs/bin/node']]) {
    mkdirSync(dirname(`${root}${to}`), { recursive: true });
    copyFileSync(`${from}`, `${root}${to}`);
  }
  return [];
}

/** In the place of Node's own image: the programs of this machine, which the build cannot change, and an npm of ours. */
function layBuildBase(root: string): Mount[] {
  const folders = SYSTEM.filter((path) => existsSync(path) && !lstatSync(path).isSymbolicLink());
  const links = SYSTEM.filter((path) => existsSync(path) && lstatSync(path).isSymbolicLink());
  for (const path of links) symlinkSync(readlinkSync(path), root + path);
  const modules = '/stand-in/node_modules';
  for (const path of [...folders, modules, '/stand-in/bin']) mkdirSync(root + path, { recursive: true });
  copyFileSync(join(__dirname, 'npm-stand-in.mjs'), `${root}/stand-in/npm.mjs`);
  writeFileSync(`${root}/stand-in/bin/npm`, '#!/bin/sh\nexec node /stand-in/npm.mjs "$@"\n', { mode: 0o755 });
  symlinkSync(`${modules}/node/bin/node`, `${root}/stand-in/bin/node`);
  const bound = [...folders.map((path) => [path, path]), [join(FUNCTIONS, 'node_modules'), modules]];
  return bound.map(([from = '', to = '']) => ({ from, to, isReadOnly: true }));
}
