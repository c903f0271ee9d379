import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A file of an image, as `tar` lists it. */
export interface ImageFile {
  readonly path: string;
  readonly mode: string;
  /** `uid/gid`, in numbers. */
  readonly owner: string;
  readonly bytes: number;
}

const FUNCTIONS = join(__dirname, '..', '..');
const REPOSITORY = join(FUNCTIONS, '..');
/** Files that a container finds in its `/dev`. */
export const DEVICES = ['/dev/null', '/dev/urandom'];

/** An image made of the Dockerfile. */
export type Image = ReturnType<typeof buildImage>;

/**
 * Follows the Dockerfile in a folder of this machine. Three things stand for what only a registry has: the programs of this
 * machine for the base of the build, Node and its libraries for the other, `npm-stand-in.mjs` for npm.
 */
export function buildImage(folder: string) {
  const source = readFileSync(join(REPOSITORY, 'Dockerfile'), 'utf8');
  const [, build = [], runtime = []] = stagesOf(source);
  const [buildRoot, root] = [join(folder, 'build'), join(folder, 'runtime')];
  layBuildBase(folder);
  const { directory: buildDirectory } = settingsOf(build);
  mkdirSync(buildRoot + buildDirectory, { recursive: true });
  for (const { name, text } of build) {
    const cwd = buildRoot + buildDirectory;
    const env = { PATH: `${join(folder, 'bin')}:/usr/bin:/bin` };
    if (name === 'RUN') execFileSync('/bin/sh', ['-c', text], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    if (name === 'COPY') copy(text, { to: cwd, from: REPOSITORY });
  }
  layRuntimeBase(root);
  const settings = settingsOf(runtime);
  mkdirSync(root + settings.directory, { recursive: true });
  for (const { name, text } of runtime) {
    const from = text.includes('--from=build') ? buildRoot : REPOSITORY;
    if (name === 'COPY') copy(text, { to: root + settings.directory, from, root });
  }
  return { root, files: filesIn(root), ...settings };
}

interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** The instructions before the first FROM, and of each stage. */
function stagesOf(source: string): Instruction[][] {
  const lines = source.split('\n').filter((line) => !/^\s*(#|$)/.test(line));
  const stages: Instruction[][] = [[]];
  for (const line of lines) {
    const [, name = '', text = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (name === '') throw new Error(`This test cannot read ${line}`);
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, text });
  }
  return stages;
}

function settingsOf(stage: readonly Instruction[]) {
  const textOf = (name: string): string => stage.find((instruction) => instruction.name === name)?.text ?? '';
  const listOf = (name: string): string[] => JSON.parse(/\[.*\]/.exec(textOf(name))?.[0] ?? '[]') as string[];
  const env = Object.fromEntries([...textOf('ENV').matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]));
  return {
    env: env as Record<string, string>,
    directory: textOf('WORKDIR'),
    user: textOf('USER'),
    volume: listOf('VOLUME')[0] ?? '',
    healthCheck: listOf('HEALTHCHECK'),
    command: [...listOf('ENTRYPOINT'), ...listOf('CMD')],
  };
}

interface Copied {
  readonly to: string;
  readonly from: string;
  readonly root?: string;
}

/** Copies what `.dockerignore` lets a builder have, or what another stage has. */
function copy(text: string, { to: directory, from, root = '' }: Copied): void {
  const [target = '', ...sources] = text
    .split(' ')
    .filter((word) => !word.startsWith('--'))
    .toReversed();
  const to = target.startsWith('/') ? root + target : `${directory}/${target}`;
  const sent = readFileSync(join(REPOSITORY, '.dockerignore'), 'utf8').split('\n');
  for (const source of sources) {
    const path = join(from, source);
    const isSent = from !== REPOSITORY || sent.some((line) => line !== '' && `!${source}/`.startsWith(`${line}/`));
    if (!isSent) throw new Error(`${source} is not in the build context`);
    const isIntoFolder = to.endsWith('/') && !lstatSync(path).isDirectory();
    const place = isIntoFolder ? join(to, basename(path)) : to;
    mkdirSync(dirname(place), { recursive: true });
    const filter = (file: string): boolean => from !== REPOSITORY || !/src\/.*\.test\.ts$/.test(file);
    cpSync(path, place, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, filter });
  }
  const [, owner] = /--chown=(\S+)/.exec(text) ?? [];
  if (owner) execFileSync('chown', ['-R', owner, to]);
}

/** In the place of Node's own image: its Node, and an npm of ours. */
function layBuildBase(folder: string): void {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const npm = `#!/bin/sh\nINSTALLED='${join(FUNCTIONS, 'node_modules')}' exec node '${join(__dirname, 'npm-stand-in.mjs')}' "$@"\n`;
  writeFileSync(join(bin, 'npm'), npm, { mode: 0o755 });
  symlinkSync(process.execPath, join(bin, 'node'));
}

/** In the place of a distroless image: Node and the libraries it is linked to, and not one program more. */
function layRuntimeBase(root: string): void {
  for (const name of ['proc', 'dev', 'tmp']) mkdirSync(join(root, name), { recursive: true });
  for (const path of DEVICES) writeFileSync(root + path, '');
  const libraries = execFileSync('ldd', [process.execPath], { encoding: 'utf8' }).match(/\/\S+/g) ?? [];
  for (const [from = '', to = ''] of [
    ...libraries.map((path) => [path, path]),
    [process.execPath, '/nodejs/bin/node'],
  ]) {
    mkdirSync(dirname(root + to), { recursive: true });
    copyFileSync(from, root + to);
  }
  chmodSync(`${root}/nodejs/bin/node`, 0o755);
}

function filesIn(root: string): ImageFile[] {
  const list = execFileSync('sh', ['-c', 'tar -c . | tar -t --verbose --numeric-owner'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  return list.split('\n').flatMap((line) => {
    const [, mode, owner, bytes, path] = /^(\S+)\s+(\d+\/\d+)\s+(\d+)\s+\S+\s+\S+\s+(?:\.\/)?(.*)$/.exec(line) ?? [];
    if (!mode || !owner || !path) return [];
    return { mode, owner, bytes: Number(bytes), path: path.replace(/ (?:->|link to) .*/, '') };
  });
}
