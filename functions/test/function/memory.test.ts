import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { readConfig } from '../../src/config';
import { createContainer } from '../../src/container';
import { isRefusal } from '../../src/errors';
import { createKey } from '../../src/keys/keys';
import { isLongMode } from '../support/long-mode';
import { temporaryDirectory } from '../support/temporary-directory';
import { type FunctionServer, startFunctionServer } from './function-server';
import { HUNGRY_MODELS, type HungryUpstream, startHungryUpstream } from './hungry-models';
import { memoryLimit } from './memory-limit';

/**
 * The built function in the memory it is deployed with (`src/index.ts`): nothing that users or models do ends the process,
 * everybody gets an answer, and small requests beside it are all served. In the long mode they are also not slowed down.
 */

const LIMIT_MIB = 512;
const MIB = 1024 * 1024;
const ATTACKERS = 40;
const BYSTANDERS = 60;
const { answers, waits, writesMiB, writesTenMiB } = HUNGRY_MODELS;
const PEPPER = 'a pepper for the memory proof only';

describe(`the function in ${LIMIT_MIB} MiB`, () => {
  const limit = memoryLimit(LIMIT_MIB);
  let upstream: HungryUpstream;
  let server: FunctionServer;
  let attackers: string[];
  let bystanders: string[];

  beforeAll(async () => {
    console.info(`limit: ${limit.means}`);
    upstream = await startHungryUpstream();
    const directory = await temporaryDirectory();
    const models = Object.values(HUNGRY_MODELS).map((id) => ({ id, endpoint: 'hungry' }));
    const endpoints = { hungry: { baseUrl: `${upstream.url}/v1` } };
    const env = {
      DATA_DIR: directory.path,
      KEY_PEPPER: PEPPER,
      LOG_LEVEL: 'silent',
      MODEL_OVERRIDES: JSON.stringify({ models, endpoints }),
      DEFAULT_MODEL: answers,
      ...limit.env,
    };
    const keys = await keysOf(env, ATTACKERS + BYSTANDERS);
    attackers = keys.slice(0, ATTACKERS);
    bystanders = keys.slice(ATTACKERS);
    server = await startFunctionServer(env, 'api', limit.launcher);
    await small();
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    await upstream.close();
    limit.remove();
  });

  /** Begins a request; the reply is its status and the beginning of its text, or the error that came instead. */
  function begin(key: string, body: Buffer, held = 0) {
    const headers = { authorization: `Bearer ${key}`, 'content-length': body.length };
    const { port } = server;
    const sent = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/v1/chat/completions',
      headers,
      agent: false,
    });
    // A refused client may find its connection closed while it still sends.
    sent.on('error', () => undefined);
    sent.write(body.subarray(0, body.length - held));
    if (held === 0) sent.end();
    return { sent, reply: replyOf(sent), finish: () => sent.end(body.subarray(body.length - held)) };
  }

  async function replyOf(sent: ClientRequest): Promise<{ status: number; text: string }> {
    try {
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      return { status: response.statusCode ?? 0, text: await text(response) };
    } catch (error) {
      return { status: 0, text: String(error) };
    }
  }

  /** A small request of the bystander whose turn it is, and how long it took. */
  let turn = 0;
  async function small(): Promise<{ status: number; ms: number }> {
    const startedMs = performance.now();
    turn += 1;
    const { status } = await begin(bystanders[turn % BYSTANDERS] ?? '', bodyOf(200, { model: answers })).reply;
    return { status, ms: performance.now() - startedMs };
  }

  /** Small requests, one after the other, until the attack is over. */
  async function beside<T>(attack: Promise<T>): Promise<T> {
    const seen: { status: number; ms: number }[] = [];
    let over = false;
    const finished = attack.finally(() => {
      over = true;
    });
    while (!over) {
      seen.push(await small());
      await pause(20);
    }
    const result = await finished;
    expect(new Set(seen.map(({ status }) => status))).toEqual(new Set([200]));
    if (isLongMode) expect(p95(seen)).toBeLessThan(3 * Math.max(20, p95(await idle())));
    return result;
  }

  async function idle() {
    const seen = [];
    while (seen.length < 40) seen.push(await small());
    return seen;
  }

  const attacker = (index: number): string => attackers[index % ATTACKERS] ?? '';
  const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
  const statusesOf = async (all: readonly { reply: Promise<{ status: number }> }[]): Promise<number[]> =>
    (await Promise.all(all.map(({ reply }) => reply))).map(({ status }) => status);

  afterEach(async () => {
    expect((await small()).status).toBe(200);
    expect(server.hasEnded()).toBe(false);
    expect(server.peakMemoryMib()).toBeLessThan(LIMIT_MIB);
  });

  test('80 uploads of 4 MiB that stop one byte short, and then finish', async () => {
    const uploads = many(80, (index) => begin(attacker(index), bodyOf(4 * MIB, { model: waits }), 1));
    await beside(pause(2_000));
    for (const { finish } of uploads) finish();
    const statuses = await beside(statusesOf(uploads));
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(statuses).toContain(200);
  });

  test('four runs with 3.9 MiB and 16 participants are all answered', async () => {
    const body = bodyOf(3.9 * MIB, { model: waits, ai_ensemble: panelOf(waits) });
    expect(await beside(statusesOf(many(4, (index) => begin(attacker(index), body))))).toEqual([200, 200, 200, 200]);
  });

  test('16 participants over ten rounds with texts of 1 MiB', async () => {
    const strategies = ['collaborative_synthesis', 'competitive_refinement'];
    const runs = strategies.map((strategy, index) =>
      begin(
        attacker(index),
        bodyOf(500, { model: answers, ai_ensemble: { ...panelOf(writesMiB), strategy, rounds: 10 } }),
      ),
    );
    // Answered, or refused in words: what one user's models write may be more than its share.
    const replies = await beside(Promise.all(runs.map(({ reply }) => reply)));
    for (const reply of replies) expect(reply.text).toMatch(/"choices"|"error":\{"message":"[^"]+"/);
  });

  test('models that answer 10 MB', async () => {
    const runs = many(16, (index) => begin(attacker(index), bodyOf(200, { model: writesTenMiB, stream: true })));
    for (const { text: reply } of await beside(Promise.all(runs.map(({ reply }) => reply)))) {
      expect(reply).toMatch(/data: \[DONE\]|"error":"[^"]+"/);
    }
  });

  test('200 readers that do not read', async () => {
    const readers = many(
      200,
      (index) => begin(attacker(index), bodyOf(200, { model: writesTenMiB, stream: true })).sent,
    );
    for (const reader of readers) reader.on('response', (response) => response.pause());
    await beside(pause(isLongMode ? 10_000 : 2_000));
    for (const reader of readers) reader.destroy();
  });
});

/** A request whose body has this many bytes. */
function bodyOf(bytes: number, fields: object): Buffer {
  const shell = JSON.stringify({ ...fields, messages: [{ role: 'user', content: '' }] });
  return Buffer.from(shell.replace('"content":""', `"content":"${'x'.repeat(bytes - shell.length)}"`));
}

function panelOf(id: string) {
  return { models: Array.from({ length: 16 }, () => ({ id })) };
}

function p95(seen: readonly { ms: number }[]): number {
  const ascending = seen.map(({ ms }) => ms).sort((a, b) => a - b);
  return ascending[Math.floor(ascending.length * 0.95)] ?? 0;
}

/** Keys of so many Pro users, a key each, in the store that the server will open. */
async function keysOf(env: Record<string, string>, count: number): Promise<string[]> {
  const { store, clock, peppers, config } = createContainer(readConfig({ ...env, STORE: 'embedded' }));
  const keys: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const userId = `user-${index}`;
    await store.putSubscription({ userId, tier: 'pro', status: 'active', sourceUpdatedAtMs: clock.nowMs() });
    const created = await createKey({ store, clock, peppers, keyPrefix: config.keyPrefix }, { userId, name: 'proof' });
    if (isRefusal(created)) throw new Error(created.text);
    keys.push(created.key);
  }
  await store.close();
  return keys;
}
