import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { temporaryDirectory } from '../support/temporary-directory';
import { type FunctionServer, startFunctionServer } from './function-server';

/*
 * What a process does while nobody asks it: it plays requests of its own, so that V8 compiles their code. What those are
 * made of is the business of nobody else: not the books, not the log, not the disk.
 */

let server: FunctionServer;
let temporary: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeEach(async () => {
  temporary = await temporaryDirectory();
});
afterEach(async () => {
  await server.stop();
  await temporary.remove();
});

const start = async (env: Record<string, string> = {}) => {
  server = await startFunctionServer({ WARM_UP: 'on', LOG_LEVEL: 'debug', TMPDIR: temporary.path, ...env });
};
const leftOnDisk = () => readdirSync(temporary.path).filter((name) => name.startsWith('ensemble-api-warm-up-'));
const lines = () =>
  server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { message: string; requests?: number; userId?: string; status?: number });
/** Seconds, where others have the processor; asked seldom, as asking takes it too. */
async function until(met: () => boolean): Promise<void> {
  while (!met()) await pause(5);
}
const lineOf = (message: string) => lines().find((line) => line.message === message);

async function ask(): Promise<number> {
  const { status, body } = await fetch(`${server.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'demo-ada', messages: [{ role: 'user', content: 'Is a tomato a fruit?' }] }),
  });
  await body?.cancel();
  return status;
}

async function booked(): Promise<{ n_requests: number; breakdown: { model_id: string }[] }[]> {
  const response = await fetch(`${server.baseUrl}/v1/usage`, { headers: { authorization: `Bearer ${server.key}` } });
  return ((await response.json()) as { data: never[] }).data;
}

it('plays all its requests, and a user’s in between; only that one is in the books and in the log', async () => {
  await start();
  await until(() => leftOnDisk().length > 0);
  expect(await ask()).toBe(200);
  await until(() => lineOf('warmed up') !== undefined);
  expect(lineOf('warmed up')?.requests).toBe(680);
  expect(leftOnDisk()).toEqual([]);
  const [month, ...others] = await booked();
  expect(others).toEqual([]);
  expect(month?.n_requests).toBe(1);
  expect(month?.breakdown.map(({ model_id }) => model_id)).toEqual(['demo-ada']);
  const ofChat = lines().filter(({ message, status }) => message === 'request' && status === 200);
  expect(new Set(ofChat.map(({ userId }) => userId))).toEqual(new Set(['demo']));
  expect(server.output()).not.toContain('warm-up');
});

it('ends with the process, which leaves nothing behind', async () => {
  await start();
  await until(() => leftOnDisk().length > 0);
  server.signal('SIGTERM');
  expect(await server.ended).toEqual({ code: 0, signal: null });
  expect(leftOnDisk()).toEqual([]);
  expect(lineOf('warm-up left out')).toBeUndefined();
});

it('is left out where no temporary directory can be made, which the log says; requests are answered', async () => {
  await start({ TMPDIR: '/proc/none' });
  await until(() => lineOf('warm-up left out') !== undefined);
  expect(await ask()).toBe(200);
});
