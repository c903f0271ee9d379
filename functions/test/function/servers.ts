import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createKey } from '../../src/access/keys';
import { readConfig } from '../../src/config';
import { isRefusal } from '../../src/errors';
import { createServices } from '../../src/services';
import { freePorts, listening, startProgram } from '../support/programs';
import { temporaryDirectory } from '../support/temporary-directory';

/** The built service in a process of its own. */
export type RunningServer = Awaited<ReturnType<typeof startServer>>;

const FUNCTIONS = join(__dirname, '..', '..');
const FRAMEWORK = join(dirname(require.resolve('@google-cloud/functions-framework')), 'main.js');

/** Settings of a server; by default it has a data directory of its own. */
interface ServerOptions {
  readonly env?: Record<string, string>;
  /** A function to serve through the door of Firebase, by the Functions Framework; default: the plain server. */
  readonly target?: string | undefined;
  /** A command that becomes the program it is given. */
  readonly launcher?: readonly string[];
}

/** Both doors, for suites that each must pass. */
export const DOORS = [
  ['npm start', {}],
  ['Firebase', { target: 'api' }],
] as const;

/** Starts a server on a free port, with the Pro user `demo` in its store. */
export async function startServer({ env = {}, target, launcher = [] }: ServerOptions = {}) {
  const directory = env['DATA_DIR'] ?? (await temporaryDirectory()).path;
  const { port } = await freePorts('port');
  const settings = {
    PATH: process.env['PATH'] ?? '',
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: directory,
    // As the platform sets it.
    ...(target && { FUNCTION_TARGET: target }),
    ...env,
  };
  const seeding = { cwd: FUNCTIONS, env: settings, encoding: 'utf8' } as const;
  const { key } = JSON.parse(execFileSync(process.execPath, ['lib/seed.js'], seeding)) as { key: string };
  const args = target ? [FRAMEWORK, `--target=${target}`] : ['lib/server.js'];
  const program = startProgram(args, settings, launcher);
  const status = `/proc/${program.child.pid}/status`;
  await listening(port, program.child);
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    port,
    /** Key of the seeded Pro user `demo`. */
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

/** Makes Pro users in the store of these settings; a key of each. */
export async function keysOf(env: Readonly<Record<string, string>>, userIds: readonly string[]): Promise<string[]> {
  const { store, clock, peppers, config } = createServices(readConfig({ ...env, STORE: env['STORE'] ?? 'embedded' }));
  const keys: string[] = [];
  for (const userId of userIds) {
    await store.putSubscription({ userId, tier: 'pro', status: 'active', sourceUpdatedAtMs: clock.nowMs() });
    const created = await createKey({ store, clock, peppers, keyPrefix: config.keyPrefix }, { userId, name: 'key' });
    if (isRefusal(created)) throw new Error(created.text);
    keys.push(created.key);
  }
  await store.close();
  return keys;
}

/** So many user ids that begin alike. */
export const usersOf = (count: number, name = 'user'): string[] =>
  Array.from({ length: count }, (_, index) => `${name}-${index}`);
