import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort, listening } from './ports';

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
