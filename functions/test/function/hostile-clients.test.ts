import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom, withSeed } from '../proof/seeded-random';
import { isLongMode } from '../support/long-mode';
import { openSocket, ReplyReader, type SocketReply } from '../support/raw-socket';
import { temporaryDirectory } from '../support/temporary-directory';
import { until } from '../support/until';
import { WIRES } from '../support/wires';
import { type HostileRequest, hostileRequests } from './hostile-requests';
import { DOORS, keysOf, type RunningServer, startServer, usersOf } from './servers';

/** No hang, on the slowest of machines: the server itself gives up sooner on what is not sent. */
const PATIENCE_MS = 90_000;

/**
 * Pipelines a batch on one connection; throws when a reply that must come does not. Node alone closes a connection for a
 * tunnel without a word, and answers what is malformed behind an answered request once more.
 */
async function repliesTo(port: number, batch: readonly HostileRequest[], isNodeAlone: boolean): Promise<SocketReply[]> {
  const socket = await openSocket(port);
  const reader = new ReplyReader();
  const replies: SocketReply[] = [];
  const last = batch.at(-1)?.expects;
  const owed = last === 'reply' ? batch.length : batch.length - 1;
  let isClosing = last === 'closed';
  const { promise: over, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new Error(`no answer: ${textOf(batch)}`)), PATIENCE_MS);
  const resolveWhenOver = (): void => {
    if (replies.length >= owed && !isClosing) resolve();
  };
  socket.on('data', (piece) => {
    try {
      replies.push(...reader.read(piece, (at) => batch[at]?.isHead === true));
      isClosing ||= replies.at(-1)?.headers['connection'] === 'close';
      resolveWhenOver();
    } catch (error) {
      reject(error);
    }
  });
  socket.once('close', () => resolve());
  socket.write(Buffer.concat(batch.map(({ bytes }) => bytes)), resolveWhenOver);
  await over.finally(() => {
    clearTimeout(timer);
    socket.destroy();
  });
  const isEnough = replies.length >= (isClosing ? (isNodeAlone ? 0 : 1) : owed);
  const most = batch.reduce((sum, { messages = 1 }) => sum + messages, isNodeAlone ? 1 : 0);
  if (!isEnough || replies.length > most) throw new Error(`${replies.length} answers: ${textOf(batch)}`);
  return replies;
}

function textOf(batch: readonly HostileRequest[]): string {
  return JSON.stringify(batch.map(({ bytes, expects }) => [expects, bytes.toString('latin1').slice(0, 400)]));
}

/**
 * Thousands of requests as no client would send them, from a seed, over raw sockets to the built function in a process of
 * its own: bad JSON, lengths, chunks, smuggling, encodings, floods of headers, dates, ids. All are answered in the API's
 * shape, none for want of an answer, and nothing of them is left.
 */

const REQUESTS = isLongMode ? 200_000 : 4_000;
const USERS = 100;
const CLIENTS = 16;
const PIPELINED_MAX = 6;
const GROWTH_MAX_BYTES = 8 * 1024 * 1024;

/** Statuses that may be answered (docs/api.md, Errors and Malformed requests): of the faults of a server only what it cannot do. */
const STATUSES = [200, 204, 400, 401, 403, 404, 405, 409, 413, 415, 417, 429, 431, 501, 503];
/** Those that the requests of a seed come to, whatever it is. */
const REACHED = [200, 204, 400, 401, 404, 405, 413, 415, 417, 431, 501];
/** Parts of a stack trace, or of what was sent. */
const TOLD = /node_modules|\n\s+at |Bearer|sk-ens/;

describe.each(DOORS)('hostile clients at the door of %s', (_, door) => {
  let server: RunningServer;
  let keys: string[];

  beforeAll(async () => {
    const { path: directory } = await temporaryDirectory();
    keys = await keysOf({ DATA_DIR: directory }, usersOf(USERS));
    // At this level an error of the service is all that is logged.
    const report = JSON.stringify(join(__dirname, 'heap-report.cjs'));
    const env = { LOG_LEVEL: 'error', NODE_OPTIONS: `--expose-gc --require ${report}` };
    server = await startServer({ ...door, env: { DATA_DIR: directory, ...env } });
  });
  afterAll(() => server.stop());

  it(
    `get ${REQUESTS} clean answers, and the server keeps nothing of them`,
    async () => {
      const random = seededRandom(isLongMode ? undefined : 20_261_122);
      await withSeed(random, async () => {
        const next = hostileRequests(random, keys);
        const attack = attackOn(server.port, 'target' in door);
        const counts = new Map<number, number>();
        await attack(next, REQUESTS / 4, counts);
        const before = await heapBytes();
        await attack(next, (REQUESTS * 3) / 4, counts);
        expect((await heapBytes()) - before).toBeLessThan(GROWTH_MAX_BYTES);
        // Each kind of answer was reached, and few requests were lost behind one that closed the connection.
        expect([...counts.keys()]).toEqual(expect.arrayContaining(REACHED));
        expect([...counts.values()].reduce((sum, times) => sum + times, 0)).toBeGreaterThan(0.7 * REQUESTS);
        const logged = server.output().split('\n');
        expect(logged.filter((line) => line !== '' && !line.startsWith('{"report"'))).toEqual([]);
      });
      const headers = { authorization: `Bearer ${keys[0]}` };
      expect((await fetch(`${server.baseUrl}/v1/models`, { headers })).status).toBe(200);
    },
    REQUESTS * 10,
  );

  /** Heap of the server once all connections of the attack are closed. */
  async function heapBytes(): Promise<number> {
    for (let tries = 0; tries < 100; tries += 1) {
      const seen = server.output().length;
      server.signal('SIGUSR2');
      await until(() => server.output().length > seen);
      const { report } = JSON.parse(server.output().trim().split('\n').at(-1) ?? '');
      if (report.sockets === 0) return report.heapBytes;
      await pause(100);
    }
    throw new Error('connections are left');
  }
});

/** An attack by clients side by side, in which each answer is checked. Before the app, Node and Express may give their own. */
function attackOn(port: number, isFramework: boolean) {
  const check = isFramework ? expectCleanOrBare : expectClean;
  // The platform before the framework sends one at a time.
  const mostPipelined = isFramework ? 1 : PIPELINED_MAX;
  return async (next: () => HostileRequest, count: number, counts: Map<number, number>): Promise<void> => {
    let left = count;
    const send = async (connection: readonly HostileRequest[]): Promise<void> => {
      for (const reply of await repliesTo(port, connection, isFramework)) {
        check(reply);
        counts.set(reply.status, (counts.get(reply.status) ?? 0) + 1);
      }
    };
    const client = async (): Promise<void> => {
      while (left > 0) {
        const batch = batchOf(next, Math.min(left, mostPipelined));
        left -= batch.length;
        for (const connection of connectionsFor(batch, left)) await send(connection);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
  };
}

/** Requests up to the first that leaves its connection unusable. */
function batchOf(next: () => HostileRequest, max: number): HostileRequest[] {
  const batch = [next()];
  while (batch.length < max && batch.at(-1)?.expects === 'reply') batch.push(next());
  return batch;
}

/** A connection that is closed takes with it what is under way or waits to begin: four times of five nothing does. */
function connectionsFor(batch: readonly HostileRequest[], turn: number): (readonly HostileRequest[])[] {
  const isAlone = batch.length > 1 && batch.at(-1)?.expects !== 'reply' && turn % 5 > 0;
  return isAlone ? [batch.slice(0, -1), batch.slice(-1)] : [batch];
}

function expectClean({ status, headers, body }: SocketReply): void {
  const isError = status >= 400;
  const isShaped = !isError || body === '' || isErrorBody(body);
  if (STATUSES.includes(status) && isShaped && /^[0-9a-f]{32}$/.test(headers['x-request-id'] ?? '')) return;
  expect({ status, headers, body }).toBe('an answer of the API');
}

/** Without the id of a request an answer is Node's or Express's, and says nothing of the server. */
function expectCleanOrBare(reply: SocketReply): void {
  const { status, headers, body } = reply;
  if ('x-request-id' in headers) expectClean(reply);
  else
    expect({ isKnown: STATUSES.includes(status), body }).toEqual({
      isKnown: true,
      body: expect.not.stringMatching(TOLD),
    });
}

/** True for an error in the form of any protocol; MCP's is that of JSON-RPC. */
function isErrorBody(body: string): boolean {
  const { jsonrpc, error, ...rest } = JSON.parse(body);
  const isRpc = jsonrpc === '2.0' && Number.isInteger(error?.code) && typeof error.message === 'string';
  return isRpc || WIRES.some(({ errorOf }) => errorOf({ error, ...rest }));
}
