import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { freePorts, listening, startProgram } from '../support/programs';
import { temporaryDirectory } from '../support/temporary-directory';

/** The built function, served by the real Functions Framework in a process of its own. */
export type FunctionServer = Awaited<ReturnType<typeof startFunctionServer>>;

const FUNCTIONS = join(__dirname, '..', '..');

/**
 * Starts a server of one function on a free port, with a data directory of its own unless `env` names one. `launcher` is
 * a command that becomes the program it is given.
 */
export async function startFunctionServer(
  env: Record<string, string> = {},
  target = 'api',
  launcher: readonly string[] = [],
) {
  const directory = env['DATA_DIR'] ?? (await temporaryDirectory()).path;
  const { port } = await freePorts('port');
  const settings = {
    PATH: process.env['PATH'] ?? '',
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: directory,
    // Only its own test asks for it: what others count, or time, is of their requests.
    // As the platform and `npm start` set it.
    FUNCTION_TARGET: target,
    ...env,
  };
  const { key } = JSON.parse(
    execFileSync(process.execPath, ['lib/seed.js'], { cwd: FUNCTIONS, env: settings, encoding: 'utf8' }),
  ) as { key: string };
  const framework = join(dirname(require.resolve('@google-cloud/functions-framework')), 'main.js');
  const args = ['--require', './scripts/bind-host.cjs', framework, `--target=${target}`];
  const program = startProgram(args, settings, launcher);
  const status = `/proc/${program.child.pid}/status`;
  await listening(port, program.child);
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    port,
    /** Of the seeded Pro user `demo`. */
    key,
    directory,
    output: program.output,
    /** Sends it a signal; how it ends is in `ended`. */
    signal: (signal: NodeJS.Signals) => program.child.kill(signal),
    ended: program.ended,
    hasEnded: () => program.child.exitCode !== null,
    /** The most memory the process ever held, in MiB (Linux). */
    peakMemoryMib: () => Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(status, 'utf8'))?.[1]) / 1024,
    /** Ends the process without warning, as a crash does; the data directory stays. */
    kill: () => program.end('SIGKILL'),
    stop: async () => {
      await program.end('SIGTERM');
      await rm(directory, { recursive: true, force: true });
    },
  };
}
