import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const FUNCTIONS = join(__dirname, '..', '..');
const START_TIMEOUT_MS = 10_000;

/** A program of Node, started in `functions/`. */
export type Program = ReturnType<typeof startProgram>;

/** The end of a program: an exit code, or a signal that it did not handle. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export function startProgram(args: readonly string[], env: NodeJS.ProcessEnv, launcher: readonly string[] = []) {
  const [command = '', ...rest] = [...launcher, process.execPath, ...args];
  const child = spawn(command, rest, { cwd: FUNCTIONS, env });
  let written = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      written += text;
    });
  }
  const ended = new Promise<Ended>((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  return {
    child,
    /** Everything it wrote so far. */
    output: () => written,
    /** Resolves once it has ended by itself or by a signal, and its output is complete. */
    ended,
    /** Resolves once it has ended; by force, when it does not end by itself in the time given. */
    end: async (signal: NodeJS.Signals, patienceMs?: number): Promise<void> => {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      const timer = patienceMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), patienceMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** Runs a program of Node to its end. */
export function ranProgram(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd = FUNCTIONS,
): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd, env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
}

/** Below those that the system gives to whoever asks for any: nobody gets one of ours before its program listens there. */
const PORTS = { first: 10_000, count: 20_000 };
/** Suites run side by side, each in a process of its own. */
let lastPort = (process.pid * 101) % PORTS.count;

/** A port of 127.0.0.1 for each name; nothing listens on them just now. */
export async function freePorts<Name extends string>(...names: readonly Name[]): Promise<Record<Name, number>> {
  const ports: [Name, number][] = [];
  for (const name of names) ports.push([name, await freePort()]);
  return Object.fromEntries(ports) as Record<Name, number>;
}

async function freePort(): Promise<number> {
  for (;;) {
    lastPort = (lastPort + 1) % PORTS.count;
    const port = PORTS.first + lastPort;
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

/** Resolves once the port takes connections; rejects when the program ends first, or takes too long. */
export async function listening(port: number, program: ChildProcess, patienceMs = START_TIMEOUT_MS): Promise<void> {
  const giveUpAtMs = Date.now() + patienceMs;
  while (!(await accepts(port))) {
    if (program.exitCode !== null) throw new Error(`the program ended with code ${program.exitCode}`);
    if (Date.now() > giveUpAtMs) throw new Error('the program does not take connections');
    await pause(10);
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    const settle = (accepted: boolean): void => {
      socket.destroy();
      resolve(accepted);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}
