import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The built function, served by the real Functions Framework in a process of its own. */
export interface FunctionServer {
  readonly baseUrl: string;
  readonly port: number;
  /** A key of the seeded Pro user `demo`. */
  readonly key: string;
  readonly directory: string;
  /** Everything the process wrote. */
  output(): string;
  /** The most memory the process ever held, in MiB (Linux). */
  peakMemoryMib(): number;
  stop(): Promise<void>;
  /** Ends the process without warning, as a crash does; the data directory stays. */
  kill(): Promise<void>;
}

const FUNCTIONS = join(__dirname, '..', '..');

/** Starts a server on a free port with its own data directory; `npm test` has built `lib/` before. */
export async function startFunctionServer(env: Record<string, string> = {}): Promise<FunctionServer> {
  const directory = env['DATA_DIR'] ?? mkdtempSync(join(tmpdir(), 'ensemble-function-'));
  const port = await freePort();
  const settings = {
    PATH: process.env['PATH'] ?? '',
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: directory,
    ...env,
  };
  const { key } = JSON.parse(
    execFileSync(process.execPath, ['lib/seed.js'], { cwd: FUNCTIONS, env: settings, encoding: 'utf8' }),
  ) as { key: string };
  const framework = join(dirname(require.resolve('@google-cloud/functions-framework')), 'main.js');
  const child = spawn(process.execPath, ['--require', './scripts/bind-host.cjs', framework, '--target=api'], {
    cwd: FUNCTIONS,
    env: settings,
  });
  let written = '';
  child.stdout.on('data', (text) => {
    written += text;
  });
  child.stderr.on('data', (text) => {
    written += text;
  });
  await listening(port, child);
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    port,
    key,
    directory,
    output: () => written,
    peakMemoryMib: () =>
      Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    kill: () => end('SIGKILL'),
    stop: async () => {
      await end('SIGTERM');
      rmSync(directory, { recursive: true, force: true });
    },
  };

  async function end(signal: NodeJS.Signals): Promise<void> {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await gone;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Resolves when the port takes connections; rejects when the process ends before that. */
function listening(port: number, child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with code ${code}`)));
    const attempt = (): void => {
      const socket = createConnection({ host: '127.0.0.1', port }, () => {
        socket.destroy();
        resolve();
      });
      socket.on('error', () => setTimeout(attempt, 25));
    };
    attempt();
  });
}
