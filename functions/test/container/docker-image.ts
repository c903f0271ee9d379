import { execFile, execFileSync, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { freePorts } from '../support/programs';
import { collect, serving } from './collect';
import { type Container, type Image, parseTarList } from './container';

const run = promisify(execFile);

/** An image that a builder has made already, by its name; containers of it run on the network of this machine. */
export async function openDockerImage(name: string): Promise<Image> {
  const docker = (...args: string[]) => execFileSync('docker', args, { encoding: 'utf8', maxBuffer: 2 ** 26 }).trim();
  const config = JSON.parse(docker('image', 'inspect', '--format', '{{json .Config}}', name)) as {
    Healthcheck: { Test: string[] };
  };
  const made = docker('create', name);
  const list = execFileSync('sh', ['-c', `docker export ${made} | tar -t --verbose --numeric-owner`], {
    maxBuffer: 2 ** 26,
  });
  docker('rm', '--volumes', made);
  const [, ...healthCheck] = config.Healthcheck.Test;
  return {
    files: parseTarList(list.toString()),
    healthCheck,
    start: (data, env) => start(name, data, env),
    remove: async () => undefined,
  };
}

async function start(
  image: string,
  dataDirectory: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Container> {
  const { port } = await freePorts('port');
  const id = `ensemble-test-${port}-${process.pid}`;
  const env = Object.entries({ PORT: String(port), ...settings }).map(([name, value]) => `--env=${name}=${value}`);
  const safe = ['--read-only', '--cap-drop=ALL', '--security-opt=no-new-privileges:true', '--memory=512m'];
  const place = ['--network=host', `--volume=${dataDirectory}:/data`, `--name=${id}`, '--rm'];
  const client = spawn('docker', ['run', ...safe, ...place, ...env, image]);
  const { output, ended } = collect(client);
  await serving(port, client, output());
  const { stdout } = await run('docker', ['inspect', '--format', '{{.State.Pid}}', id]);
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    pid: Number(stdout),
    output: () => output().all,
    exec: async (...command) => {
      const collected = collect(spawn('docker', ['exec', id, ...command]));
      const { code } = await collected.ended;
      return { code, ...collected.output() };
    },
    terminate: () => void run('docker', ['kill', '--signal=TERM', id]),
    ended,
    remove: async () => {
      await run('docker', ['kill', id]).catch(() => undefined);
      await ended;
    },
  };
}
