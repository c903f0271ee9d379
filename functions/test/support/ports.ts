import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:http';
import { type AddressInfo, createConnection } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const START_TIMEOUT_MS = 10_000;

/** A port of 127.0.0.1 that nothing listens on just now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Resolves once the port takes connections; rejects when the program ends first, or takes too long. */
export async function listening(port: number, program: ChildProcess): Promise<void> {
  const giveUpAtMs = Date.now() + START_TIMEOUT_MS;
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
