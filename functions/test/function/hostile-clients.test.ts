import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readConfig } from '../../src/config';
import { createContainer } from '../../src/container';
import { isRefusal } from '../../src/errors';
import { createKey } from '../../src/keys/keys';
import { seededRandom, withSeed } from '../proof/seeded-random';
import { isLongMode } from '../support/long-mode';
import { openSocket, ReplyReader, type SocketReply } from '../support/raw-socket';
import { temporaryDirectory } from '../support/temporary-directory';
import { until } from '../support/until';
import { type FunctionServer, startFunctionServer } from './function-server';
import { type HostileRequest, hostileRequests } from './hostile-requests';

/**
 * Thousands of requests as no client would send them, from a seed, over raw sockets to the built function in a process of
 * its own: bad JSON, lengths, chunks, smuggling, encodings, floods of headers, dates, ids. All are answered in the API's
 * shape, none for want of an answer, and nothing of them is left.
 */

const REQUESTS = isLongMode ? 200_000 : 20_000;
const USERS = 100;
const CLIENTS = 16;
const PIPELINED_MAX = 12;
/** No hang, on the slowest of machines. */
const PATIENCE_MS = 20_000;
const GROWTH_MAX_BYTES = 8 * 1024 * 1024;

/** What may be answered (docs/api.md, Errors and Malformed requests): of the faults of a server only what it cannot do. */
const STATUSES = [200, 204, 400, 401, 403, 404, 405, 409, 413, 415, 417, 429, 431, 501, 503];
const ERROR = { error: { message: expect.any(String), type: expect.stringMatching(/^[a-z_]+_error$/) } };

describe('hostile clients', () => {
  let server: FunctionServer;
  let keys: string[];

  beforeAll(async () => {
    const { path: directory } = await temporaryDirectory();
    keys = await keysOfUsers(directory);
    // At this level an error of the service is all that is logged.
    const env = { LOG_LEVEL: 'error', NODE_OPTIONS: `--expose-gc --require ${join(__dirname, 'heap-report.cjs')}` };
    server = await startFunctionServer({ DATA_DIR: directory, ...env });
  });
  afterAll(() => server.stop());

  it(
    `get ${REQUESTS} clean answers, and the server keeps nothing of them`,
    async () => {
      const random = seededRandom(isLongMode ? undefined : 20_261_122);
      await withSeed(random, async () => {
        const next = hostileRequests(random, keys);
        const counts = new Map<number, number>();
        await attack(server.port, next, REQUESTS / 4, counts);
        const before = await heap();
        await attack(server.port, next, (REQUESTS * 3) / 4, counts);
        const after = await heap();
        console.info({
          counts: Object.fromEntries([...counts].sort()),
          growth: after.heapBytes - before.heapBytes,
          heap: before.heapBytes,
        });
        expect(after.heapBytes - before.heapBytes).toBeLessThan(GROWTH_MAX_BYTES);
        // Each kind of answer was reached.
        expect([...counts.keys()]).toEqual(
          expect.arrayContaining([200, 204, 400, 401, 404, 405, 413, 415, 417, 431, 501]),
        );
        // Nothing but the reports: no error was logged.
        expect(
          server
            .output()
            .split('\n')
            .filter((line) => line !== '' && !line.startsWith('{"report"')),
        ).toEqual([]);
      });
      const models = await fetch(`${server.baseUrl}/v1/models`, { headers: { authorization: `Bearer ${keys[0]}` } });
      expect(models.status).toBe(200);
    },
    REQUESTS * 10,
  );

  /** What the server holds once all connections of the attack are closed. */
  async function heap(): Promise<{ heapBytes: number }> {
    for (;;) {
      const seen = server.output().length;
      server.signal('SIGUSR2');
      await until(() => server.output().length > seen);
      const { report } = JSON.parse(server.output().trim().split('\n').at(-1) ?? '');
      if (report.sockets === 0) return report;
      await pause(100);
    }
  }
});

async function keysOfUsers(directory: string): Promise<string[]> {
  const config = readConfig({ DATA_DIR: directory, STORE: 'embedded' });
  const { store, clock, peppers } = createContainer(config);
  const keys: string[] = [];
  for (let index = 0; index < USERS; index += 1) {
    const userId = `user-${index}`;
    await store.putSubscription({ userId, tier: 'pro', status: 'active', sourceUpdatedAtMs: 0 });
    const created = await createKey({ store, clock, peppers, keyPrefix: config.keyPrefix }, { userId, name: 'key' });
    if (isRefusal(created)) throw new Error(created.text);
    keys.push(created.key);
  }
  await store.close();
  return keys;
}

/** Sends that many, by clients side by side, and checks each answer. */
async function attack(port: number, next: () => HostileRequest, count: number, counts: Map<number, number>) {
  let left = count;
  const client = async (): Promise<void> => {
    while (left > 0) {
      const batch: HostileRequest[] = [];
      // What leaves the connection in order may be followed by more of it.
      do {
        batch.push(next());
        left -= 1;
      } while (left > 0 && batch.length < PIPELINED_MAX && batch.at(-1)?.expects === 'reply');
      for (const reply of await answersTo(port, batch)) {
        expectClean(reply);
        counts.set(reply.status, (counts.get(reply.status) ?? 0) + 1);
      }
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

/** Pipelines a batch on one connection; throws when a reply that must come does not. */
async function answersTo(port: number, batch: readonly HostileRequest[]): Promise<SocketReply[]> {
  const socket = await openSocket(port);
  const reader = new ReplyReader();
  const replies: SocketReply[] = [];
  const last = batch.at(-1)?.expects;
  const owed = last === 'reply' ? batch.length : batch.length - 1;
  const { promise: over, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new Error(`no answer: ${textOf(batch)}`)), PATIENCE_MS);
  let isClosing = false;
  let raw = '';
  socket.on('data', (piece) => {
    raw += piece.toString('latin1');
    try {
      for (const reply of reader.read(piece, (at) => batch[at]?.isHead === true)) {
        replies.push(reply);
        isClosing ||= reply.headers['connection'] === 'close';
      }
    } catch (error) {
      require('fs').writeFileSync(
        '/tmp/http-scratch/fail.txt',
        raw +
          '\n=====\n' +
          batch.map((b) => b.expects + b.isHead + b.bytes.toString('latin1').slice(0, 600)).join('\n-----\n'),
      );
      reject(error);
    }
    if (replies.length >= owed && last !== 'closed' && !isClosing) resolve();
  });
  socket.once('close', () => resolve());
  socket.write(Buffer.concat(batch.map(({ bytes }) => bytes)), () => owed === 0 && last === 'left' && resolve());
  await over.finally(() => {
    clearTimeout(timer);
    socket.destroy();
  });
  const isEnough = replies.length >= (isClosing || last === 'closed' ? 1 : owed);
  if (!isEnough || replies.length > batch.length) throw new Error(`${replies.length} answers: ${textOf(batch)}`);
  return replies;
}

function expectClean({ status, headers, body }: SocketReply): void {
  const isError = status >= 400;
  const isShaped = !isError || body === '' || isErrorBody(body);
  if (STATUSES.includes(status) && isShaped && /^[0-9a-f]{32}$/.test(headers['x-request-id'] ?? '')) return;
  expect({ status, headers, body }).toBe('an answer of the API');
}

function isErrorBody(body: string): boolean {
  expect(JSON.parse(body)).toEqual(ERROR);
  return true;
}

function textOf(batch: readonly HostileRequest[]): string {
  return JSON.stringify(batch.map(({ bytes, expects }) => [expects, bytes.toString('latin1').slice(0, 400)]));
}
