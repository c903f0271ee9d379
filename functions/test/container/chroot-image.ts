import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../support/programs';
import { collect, serving } from './collect';
import { type Container, type Image, parseTarList } from './container';
import { type BuiltStage, followDockerfile } from './follow-dockerfile';
import { inSandbox } from './sandbox';

/** Follows the Dockerfile in a folder of this machine; containers of it are processes that have that folder as their root. */
export async function buildChrootImage(): Promise<Image> {
  const folder = await mkdtemp(join(tmpdir(), 'ensemble-image-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const stage = await followDockerfile(folder);
    const list = execFileSync('sh', ['-c', 'tar -c . | tar -t --verbose --numeric-owner'], {
      cwd: stage.root,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    });
    const { healthCheck } = stage;
    return { files: parseTarList(list), healthCheck, start: (data, env) => start(stage, data, env), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function start(
  stage: BuiltStage,
  dataDirectory: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Container> {
  const { port } = await freePorts('port');
  const env = { ...stage.env, PORT: String(port), ...settings };
  const mounts = [...stage.mounts, { from: dataDirectory, to: stage.volume, isReadOnly: false }];
  mkdirSync(stage.root + stage.volume, { recursive: true });
  const sandbox = { ...stage, mounts, isReadOnly: true };
  const [program = '', ...args] = inSandbox(sandbox, [...stage.entryPoint, ...stage.command]);
  const outer = spawn(program, args, { env });
  const { output, ended } = collect(outer);
  await serving(port, outer, output());
  // The first process of the container is the only child of the one that made it.
  const pid = Number(readFileSync(`/proc/${outer.pid}/task/${outer.pid}/children`, 'utf8').trim());
  const [uid = '', gid = ''] = stage.user.split(':');
  const into = [
    '--target',
    String(pid),
    '--mount',
    '--pid',
    '--root',
    '--wd',
    `--setuid=${uid}`,
    `--setgid=${gid}`,
    '--',
  ];
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    pid,
    output: () => output().all,
    exec: async (...command) => {
      const child = spawn('/usr/bin/nsenter', [...into, ...command], { env });
      const collected = collect(child);
      const { code } = await collected.ended;
      return { code, ...collected.output() };
    },
    terminate: () => process.kill(pid, 'SIGTERM'),
    ended,
    remove: async () => {
      // Its death ends the others of its process namespace, and then the one that made it.
      if (outer.exitCode === null) process.kill(pid, 'SIGKILL');
      await ended;
    },
  };
}
