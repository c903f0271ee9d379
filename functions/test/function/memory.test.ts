import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { isLongMode } from '../support/long-mode';
import { temporaryDirectory } from '../support/temporary-directory';
import { askBeside } from './beside';
import { HUNGRY_MODELS, type HungryUpstream, startHungryUpstream } from './hungry-models';
import { memoryLimit } from './memory-limit';
import { keysOf, type RunningServer, startServer, usersOf } from './servers';

/**
 * The built function in the memory it is deployed with (`src/index.ts`): nothing that users or models do ends the process,
 * everybody gets an answer, and small requests beside it are all served.
 */

const LIMIT_MIB = 512;
const MIB = 1024 * 1024;
const ATTACKERS = 40;
/** Each may ask 30 times a minute. */
const BYSTANDERS = 90;
/** Users who make all their requests of a minute at once. */
const HASTY = 2;
const AT_ONCE = 30;
const { answers, waits, writesMiB, writesTenMiB } = HUNGRY_MODELS;
const SMALL = bodyOf(200, { model: answers });
const PEPPER = 'a pepper for the memory proof only';

jest.setTimeout(120_000);

describe(`the function in ${LIMIT_MIB} MiB`, () => {
  const limit = memoryLimit(LIMIT_MIB);
  let upstream: HungryUpstream;
  let server: RunningServer;
  let attackers: string[];
  let bystanders: string[];
  let hasty: string[];

  beforeAll(async () => {
    console.info(`limit: ${limit.means}`);
    upstream = await startHungryUpstream();
    const directory = await temporaryDirectory();
    const models = Object.values(HUNGRY_MODELS).map((id) => ({ id, endpoint: 'hungry' }));
    const env = {
      DATA_DIR: directory.path,
      KEY_PEPPER: PEPPER,
      LOG_LEVEL: 'silent',
      MODEL_OVERRIDES: JSON.stringify({ models, endpoints: { hungry: { baseUrl: `${upstream.url}/v1` } } }),
      DEFAULT_MODEL: answers,
      ...limit.env,
    };
    const keys = await keysOf(env, usersOf(ATTACKERS + BYSTANDERS + HASTY));
    attackers = keys.slice(0, ATTACKERS);
    bystanders = keys.slice(ATTACKERS, -HASTY);
    hasty = keys.slice(-HASTY);
    server = await startServer({ env, launcher: limit.launcher });
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

  const small = () => begin(bystanders[0] ?? '', SMALL).reply;

  /** Runs an attack beside users with small questions, all of whom are answered. */
  async function beside<T>(attack: () => Promise<T>): Promise<T> {
    const others = askBeside(server.baseUrl, bystanders, SMALL.toString());
    const result = await attack();
    expect(await others.end()).toEqual([200]);
    return result;
  }

  const attacker = (index: number): string => attackers[index % ATTACKERS] ?? '';
  const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
  const statusesOf = async (all: readonly { reply: Promise<{ status: number }> }[]): Promise<number[]> =>
    (await Promise.all(all.map(({ reply }) => reply))).map(({ status }) => status);

  const textsOf = async (bodies: readonly Buffer[]): Promise<string[]> => {
    const replies = bodies.map((body, index) => begin(attacker(index), body).reply);
    return (await Promise.all(replies)).map(({ text: reply }) => reply);
  };
  /** Sends a request and never reads its reply. */
  const silentReader = (key: string, body: Buffer): ClientRequest => {
    const headers = { authorization: `Bearer ${key}`, 'content-length': body.length };
    const target = { host: '127.0.0.1', port: server.port, path: '/v1/chat/completions' };
    const sent = request({ ...target, method: 'POST', headers, agent: false }, (response) => response.pause());
    sent.on('error', () => undefined).end(body);
    return sent;
  };

  afterEach(async () => {
    expect((await small()).status).toBe(200);
    expect(server.hasEnded()).toBe(false);
    expect(server.peakMemoryMib()).toBeLessThan(LIMIT_MIB);
  });

  test('80 uploads of 4 MiB that stop one byte short, and then finish', async () => {
    const statuses = await beside(async () => {
      const uploads = many(80, (index) => begin(attacker(index), bodyOf(4 * MIB, { model: waits }), 1));
      await pause(2_000);
      for (const { finish } of uploads) finish();
      return statusesOf(uploads);
    });
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(statuses).toContain(200);
  });

  test('four runs with 3.9 MiB and 16 participants are all answered', async () => {
    const body = bodyOf(3.9 * MIB, { model: waits, ai_ensemble: panelOf(waits) });
    const attack = () => statusesOf(many(4, (index) => begin(attacker(index), body)));
    expect(await beside(attack)).toEqual([200, 200, 200, 200]);
  });

  test('16 participants over ten rounds with texts of 1 MiB', async () => {
    const bodies = ['collaborative_synthesis', 'competitive_refinement'].map((strategy) =>
      bodyOf(500, { model: answers, ai_ensemble: { ...panelOf(writesMiB), strategy, rounds: 10 } }),
    );
    // Answered, or refused in words: what one user's models write may be more than its share.
    for (const reply of await beside(() => textsOf(bodies))) {
      expect(reply).toMatch(/"choices"|"error":\{"message":"[^"]+"/);
    }
  });

  test('60 plans of 3.5 MB, which call nothing', async () => {
    const body = bodyOf(3_500_000, { model: waits, ai_ensemble: { ...panelOf(waits), rounds: 10, dryRun: true } });
    const statuses = await beside(() => statusesOf(many(60, (index) => begin(attacker(index), body))));
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(statuses).toContain(200);
  });

  test('all requests that a minute admits at once, of one user: all answered', async () => {
    const body = bodyOf(200, { model: waits });
    const statuses = await beside(() => statusesOf(many(AT_ONCE, () => begin(hasty[0] ?? '', body))));
    expect(statuses).toEqual(many(AT_ONCE, () => 200));
  });

  test('as many with 1 MiB and 16 participants that write 1 MiB each', async () => {
    const body = bodyOf(MIB, { model: answers, ai_ensemble: panelOf(writesMiB) });
    const attack = () => Promise.all(many(AT_ONCE, () => begin(hasty[1] ?? '', body).reply));
    // Answered, or refused in words.
    for (const { text: reply } of await beside(attack)) expect(reply).toMatch(/"choices"|"error":\{"message":"[^"]+"/);
  });

  test('models that answer 10 MB', async () => {
    const bodies = many(16, () => bodyOf(200, { model: writesTenMiB, stream: true }));
    for (const reply of await beside(() => textsOf(bodies))) {
      expect(reply).toMatch(/data: \[DONE\]|"error":"[^"]+"/);
    }
  });

  test('200 readers that do not read', async () => {
    await beside(async () => {
      const body = bodyOf(200, { model: writesTenMiB, stream: true });
      const readers = many(200, (index) => silentReader(attacker(index), body));
      await pause(isLongMode ? 10_000 : 2_000);
      for (const reader of readers) reader.destroy();
    });
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
