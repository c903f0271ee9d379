import { execFileSync } from 'node:child_process';
import { cpSync, lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { layBase } from './base-stand-ins';
import { type BuildContext, readBuildContext } from './build-context';
import { type Instruction, parseDockerfile } from './dockerfile';
import { inSandbox, type Mount } from './sandbox';

const REPOSITORY = join(__dirname, '..', '..', '..');

/** What the instructions of a stage have come to. */
export interface BuiltStage {
  readonly root: string;
  readonly mounts: readonly Mount[];
  directory: string;
  user: string;
  readonly env: Record<string, string>;
  volume: string;
  healthCheck: readonly string[];
  entryPoint: readonly string[];
  command: readonly string[];
}

interface Build {
  readonly context: BuildContext;
  readonly stages: ReadonlyMap<string, BuiltStage>;
}

type Follow = (stage: BuiltStage, instruction: Instruction, build: Build) => void | Promise<void>;

const FOLLOW: Readonly<Record<string, Follow>> = {
  WORKDIR: (stage, { text }) => {
    stage.directory = text;
    mkdirSync(stage.root + text, { recursive: true });
  },
  ENV: (stage, { words }) => {
    for (const word of words) stage.env[word.slice(0, word.indexOf('='))] = word.slice(word.indexOf('=') + 1);
  },
  USER: (stage, { text }) => {
    stage.user = text;
  },
  VOLUME: (stage, { words: [path = ''] }) => {
    stage.volume = path;
  },
  HEALTHCHECK: (stage, { text }) => {
    stage.healthCheck = JSON.parse(text.replace(/^CMD /, '')) as string[];
  },
  ENTRYPOINT: (stage, { words }) => {
    stage.entryPoint = words;
  },
  CMD: (stage, { words }) => {
    stage.command = words;
  },
  LABEL: () => undefined,
  EXPOSE: () => undefined,
  RUN: (stage, { text }) => {
    const [program = '', ...args] = inSandbox({ ...stage, isReadOnly: false }, ['/bin/sh', '-c', text]);
    const env = { PATH: '/stand-in/bin:/usr/bin:/bin', ...stage.env };
    execFileSync(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  },
  COPY: async (stage, { words, flags }, build) => {
    const [target = '', ...sources] = words.toReversed();
    // As a path of the image; "./" keeps the slash that says that it is a folder.
    const to = stage.root + (target.startsWith('/') ? target : `${stage.directory}/${target}`);
    for (const source of sources) {
      if (flags['from'] === undefined) await copyFromContext(to, source, build.context);
      else copyTree(join(rootOf(flags['from'], build), source), to);
    }
    if (flags['chown']) execFileSync('chown', ['-R', flags['chown'], to]);
  },
};

/** Follows the Dockerfile of this repository in a folder, instruction by instruction; what its last stage has come to. */
export async function followDockerfile(folder: string): Promise<BuiltStage> {
  const stages = new Map<string, BuiltStage>();
  const context = await readBuildContext(REPOSITORY);
  for (const { base, name, instructions } of parseDockerfile(readFileSync(join(REPOSITORY, 'Dockerfile'), 'utf8'))) {
    const root = join(folder, name);
    const settings = { directory: '/', user: '0:0', env: {}, volume: '', healthCheck: [], entryPoint: [], command: [] };
    const stage: BuiltStage = { root, mounts: layBase(base, root), ...settings };
    for (const instruction of instructions) {
      const follow = FOLLOW[instruction.name];
      if (follow === undefined) throw new Error(`This test does not know the instruction ${instruction.name}`);
      await follow(stage, instruction, { context, stages });
    }
    stages.set(name, stage);
  }
  const last = [...stages.values()].at(-1);
  if (last === undefined) throw new Error('The Dockerfile has no FROM');
  return last;
}

function rootOf(name: string, { stages }: Build): string {
  const stage = stages.get(name);
  if (stage === undefined) throw new Error(`No stage is called ${name}`);
  return stage.root;
}

/** What is copied from a folder is what lies in it; a file goes into a target that ends with a slash. */
async function copyFromContext(target: string, source: string, { filesAt }: BuildContext): Promise<void> {
  for (const file of await filesAt(source)) {
    const within = relative(source, file);
    copyTree(join(REPOSITORY, file), within === '' ? target : join(target, within));
  }
}

function copyTree(from: string, target: string): void {
  const isIntoFolder = target.endsWith('/') && !lstatSync(from).isDirectory();
  const to = isIntoFolder ? join(target, basename(from)) : target;
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
}
