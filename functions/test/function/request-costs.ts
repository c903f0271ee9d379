import { setTimeout as pause } from 'node:timers/promises';
import { createKey } from '../../src/access/keys';
import { readConfig } from '../../src/config';
import { createContainer } from '../../src/container';
import { isRefusal } from '../../src/errors';
import { event, type FakeUpstream, sendEvents, startFakeUpstream } from '../support/fake-upstream';
import { temporaryDirectory } from '../support/temporary-directory';
import { startFunctionServer } from './function-server';

/** What a server has come to since it was started. */
interface Counts {
  readonly promises: number;
  readonly statements: number;
  /** Of memory, all that was ever taken: nothing is collected meanwhile. */
  readonly bytes: number;
  readonly loaded: readonly string[];
}

/** What one request takes, and one chunk of a stream. */
export interface Costs {
  readonly promises: number;
  readonly statements: number;
  readonly kilobytes: number;
}

/** So many before anything is counted: what is made once is made then. */
const WARM = 100;
const COUNTED = 60;
const CHUNKS = 400;
/** Young objects are not collected before there are so many of them. */
const YOUNG_MB = 256;
const MODEL = 'gpt-4o-mini';
/** They take turns: what is kept of the requests of a minute stays short. */
const USERS = 50;

const chunk = (content: string): string => event({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
const replyOf = (chunks: number): string =>
  [
    ...Array.from({ length: chunks }, () => chunk('word ')),
    event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    event({ choices: [], usage: { prompt_tokens: 9, completion_tokens: chunks } }),
    'data: [DONE]\n\n',
  ].join('');

/** The built function under the real framework, asked one request after the other. */
export async function countCosts() {
  const upstream = await startFakeUpstream(sendEvents(replyOf(1)));
  const flags = `--min-semi-space-size=${YOUNG_MB} --max-semi-space-size=${YOUNG_MB} --require ./test/function/count-costs.cjs`;
  const launcher = ['sh', '-c', `node="$1"; shift; exec "$node" ${flags} "$@"`, 'sh'];
  const { path: directory, remove } = await temporaryDirectory();
  const env = {
    ...{ STORE: 'embedded', DATA_DIR: directory, KEY_PEPPER: 'pepper', LOG_LEVEL: 'error' },
    ...{ OPENAI_API_KEY: 'x', OPENAI_BASE_URL: `${upstream.url}/v1` },
  };
  const keys = await keysOf(env);
  const server: Server = { ...(await startFunctionServer(env, 'api', launcher)), keys, asked: 0 };
  try {
    await ask(server, false);
    const { loaded } = await counted(server);
    const request = await costsOf(server, { requests: COUNTED, stream: false });
    const stream = await costsOf(server, { requests: COUNTED, stream: true });
    const long = await costsOfLong(server, upstream);
    const perChunk = (of: keyof Costs): number => (long[of] - stream[of]) / (CHUNKS - 1);
    const ofChunk = {
      promises: perChunk('promises'),
      statements: perChunk('statements'),
      kilobytes: perChunk('kilobytes'),
    };
    return { loaded, request, stream, chunk: ofChunk };
  } finally {
    await server.stop();
    await upstream.close();
    await remove();
  }
}

type Server = Awaited<ReturnType<typeof startFunctionServer>> & { readonly keys: readonly string[]; asked: number };

/** Keys of as many users. */
async function keysOf(env: Readonly<Record<string, string>>): Promise<string[]> {
  const { store, clock, peppers, config } = createContainer(readConfig({ ...env, LOG_LEVEL: 'silent' }));
  const made: string[] = [];
  for (let user = 0; user < USERS; user += 1) {
    const userId = `user-${user}`;
    await store.putSubscription({ userId, tier: 'pro', status: 'active', sourceUpdatedAtMs: clock.nowMs() });
    const key = await createKey({ store, clock, peppers, keyPrefix: config.keyPrefix }, { userId, name: 'laptop' });
    if (isRefusal(key)) throw new Error(key.text);
    made.push(key.key);
  }
  await store.close();
  return made;
}

async function costsOfLong(server: Server, upstream: FakeUpstream): Promise<Costs> {
  const requests = 10;
  for (let count = 0; count < 2 * requests; count += 1) upstream.willReply(sendEvents(replyOf(CHUNKS)));
  for (let count = 0; count < requests; count += 1) await ask(server, true);
  return costsOf(server, { requests, stream: true, warm: 0 });
}

async function costsOf(
  server: Server,
  { requests, stream, warm = WARM }: { readonly requests: number; readonly stream: boolean; readonly warm?: number },
): Promise<Costs> {
  for (let count = 0; count < warm; count += 1) await ask(server, stream);
  const before = await counted(server);
  for (let count = 0; count < requests; count += 1) await ask(server, stream);
  const after = await counted(server);
  return {
    promises: (after.promises - before.promises) / requests,
    statements: (after.statements - before.statements) / requests,
    kilobytes: (after.bytes - before.bytes) / requests / 1_000,
  };
}

async function ask(server: Server, stream: boolean): Promise<void> {
  const key = server.keys[server.asked % USERS];
  server.asked += 1;
  const response = await fetch(`${server.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, stream, messages: [{ role: 'user', content: 'Is a tomato a fruit?' }] }),
  });
  const text = await response.text();
  if (response.status !== 200 || !text.includes('word ')) throw new Error(text);
}

async function counted(server: Server): Promise<Counts> {
  const lines = (): string[] => [...server.output().matchAll(/^COUNTED (.+)$/gm)].map(([, json = '']) => json);
  const before = lines().length;
  server.signal('SIGUSR2');
  while (lines().length === before) await pause(5);
  return JSON.parse(lines().at(-1) ?? '') as Counts;
}
