import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { type Ended, freePorts, listening } from '../support/programs';
import { DEVICES, type Image } from './image';

/** Time in which a container starts beside everything else that tests have running. */
const PATIENCE_MS = 60_000;

/** A running container of an image, on a port of 127.0.0.1. */
export type Container = Awaited<ReturnType<typeof startContainer>>;

/** Starts a container with a read-only root, and `data` in the place of its volume; `settings` are added to its environment. */
export async function startContainer(image: Image, data: string, settings: Readonly<Record<string, string>> = {}) {
  const { port } = await freePorts('port');
  const env = { ...image.env, PORT: String(port), ...settings };
  mkdirSync(image.root + image.volume, { recursive: true });
  const [program = '', ...args] = commandLine(image, data);
  const outer = spawn(program, args, { env });
  const { output, ended } = collect(outer);
  await listening(port, outer, PATIENCE_MS).catch((error: Error) => {
    throw new Error(`${error.message}: ${output.stdout}${output.stderr}`);
  });
  // The first process of the container is the only child of the one that made it.
  const pid = Number(readFileSync(`/proc/${outer.pid}/task/${outer.pid}/children`, 'utf8').trim());
  const [uid, gid] = image.user.split(':');
  const into = ['--target', String(pid), '--mount', '--pid', '--root', '--wd', `--setuid=${uid}`, `--setgid=${gid}`];
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    pid,
    /** Runs a command beside the server, as `docker exec` does. */
    exec: async (...command: readonly string[]) => {
      const executed = collect(spawn('/usr/bin/nsenter', [...into, '--', ...command], { env }));
      const { code } = await executed.ended;
      return { code, ...executed.output };
    },
    terminate: () => process.kill(pid, 'SIGTERM'),
    ended,
    /** Ends it without warning; the death of the first process ends the others of its namespace. */
    remove: async () => {
      if (outer.exitCode === null) process.kill(pid, 'SIGKILL');
      await ended;
    },
  };
}

/** The command line of a container: the first process of a namespace of its own, with its own mounts. Needs root on Linux. */
function commandLine({ root, directory, user, volume, command }: Image, data: string): string[] {
  const [uid = '', gid = uid] = user.split(':');
  const bind = (from: string, to: string): string => `mount --rbind ${quote(from)} ${quote(to)}`;
  const script = [
    'set -e',
    'path=$PATH',
    // The settings of the container may name another PATH.
    'PATH=/usr/sbin:/usr/bin:/sbin:/bin',
    bind(root, root),
    bind(data, root + volume),
    ...DEVICES.map((path) => bind(path, root + path)),
    `mount -t proc proc ${quote(`${root}/proc`)}`,
    `mount -o remount,bind,ro ${quote(root)}`,
    'unshare=$(command -v unshare)',
    'PATH=$path',
    `exec "$unshare" --root=${quote(root)} --wd=${quote(directory)} --setgid=${gid} --setuid=${uid} -- "$@"`,
  ];
  return ['/usr/bin/unshare', '--mount', '--pid', '--fork', '/bin/sh', '-c', script.join('\n'), 'sh', ...command];
}

function quote(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}

/** Keeps what a process writes; `ended` resolves once it has ended and its output is complete. */
function collect(child: ChildProcessWithoutNullStreams) {
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (text) => {
      output[name] += text;
    });
  }
  const ended = new Promise<Ended>((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  return { output, ended };
}
