import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createKey, type NewKey } from '../../src/access/keys';
import type { Sessions } from '../../src/access/sign-in';
import { readConfig } from '../../src/config';
import { isRefusal } from '../../src/errors';
import { createHttpServer, type ServerTimes } from '../../src/http/http-server';
import type { Settlement } from '../../src/ledger/ledger-store';
import { type Clock, systemClock } from '../../src/lib/clock';
import { createLog } from '../../src/lib/log';
import type { ProviderId } from '../../src/models/catalog';
import type { ModelProvider, ProviderCall } from '../../src/models/model';
import { createServices } from '../../src/services';
import { openEmbeddedStore } from '../../src/store/embedded/embedded-store';
import type { Store } from '../../src/store/store';
import { during } from './during';
import { type FakeClock, fakeClock } from './fake-clock';
import { type Script, scriptedModels } from './scripted-models';
import { temporaryDirectory } from './temporary-directory';
import type { WireCompletion, WireEvaluations, WireResponse, WireRun } from './wire';

/** The question of every request that does not bring its own. */
export const QUESTION = 'Is a tomato a fruit?';
/** Opens the dashboard of the servers that tests start. */
export const DASHBOARD_SECRET = 'a-secret-that-tests-alone-know-of';
export const CHAT_PATH = '/v1/chat/completions';
export const RESPONSES_PATH = '/v1/responses';
export const EVALUATIONS_PATH = '/v1/evaluations';
/** The smallest good request of each endpoint that runs models. */
export const CHAT = { model: 'demo-ada', messages: [{ role: 'user', content: QUESTION }] };
export const RESPONSE = { model: 'demo-ada', input: QUESTION };
const EVALUATION = {
  prompt: QUESTION,
  responses: [answer('a', 'Botanically it is.'), answer('b', 'Cooks say no.')],
  judge_models: judges('judge-1'),
};
const MINUTE_MS = 60_000;

/** Both endpoints that run an ensemble: how to post to each, and where its reply has the answer. */
export const RUN_ENDPOINTS = [
  {
    path: CHAT_PATH,
    body: CHAT,
    send: (app: App, fields?: Fields, key?: string) => app.complete<WireRun>(fields, key),
    answerOf: ({ choices }: WireRun): string => choices[0].message.content,
  },
  {
    path: RESPONSES_PATH,
    body: RESPONSE,
    send: (app: App, fields?: Fields, key?: string) => app.respond<WireRun>(fields, key),
    answerOf: ({ output }: WireRun): string => output[0].content[0].text,
  },
] as const;

/** A reply read to its end; `body` is undefined where the text is no JSON. */
export interface ApiReply<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Body;
  /** The model calls made for it. */
  readonly calls: readonly ProviderCall[];
}

/** Fields over those of the smallest good request (`undefined` removes one), or a whole body as text. */
export type Fields = Record<string, unknown> | string;

export interface AppOptions {
  /** The models' behaviour at first; default: `PLAIN`. */
  readonly script?: Script;
  /** Plays every model instead of `app.models`. */
  readonly provider?: ModelProvider;
  /** The whole provider table; an id left out is what the configuration makes of it (nothing, unless `env` says so). */
  readonly providers?: Partial<Record<ProviderId, ModelProvider>>;
  /** Default: one that stands still at 2026-01-15T12:00:00Z. */
  readonly clock?: Clock;
  /** Wraps the store, e.g. to make it fail. */
  readonly wrapStore?: (store: Store) => Store;
  readonly env?: Record<string, string>;
  /** The bytes that bodies and runs may hold together. */
  readonly memoryBytes?: number;
  /** The user who is signed in at the dashboard; default: the one of this machine. */
  readonly sessions?: Sessions;
  /** The folder of the dashboard's pages; default: this server has none. */
  readonly siteDirectory?: string;
  /** Shorter than in production. */
  readonly serverTimes?: Partial<ServerTimes>;
}

/** An option for `startApp`, and the first settlement that is then written, once it is in the store. */
export function watchSettlement() {
  const { promise: settled, resolve } = Promise.withResolvers<Settlement>();
  const wrapStore = (store: Store): Store => ({
    ...store,
    settle: async (settlement) => {
      const result = await store.settle(settlement);
      resolve(settlement);
      return result;
    },
  });
  return { settled, wrapStore };
}

/** The service, started. */
export type App = Awaited<ReturnType<typeof startApp>>;

/**
 * The whole service on a loopback port: real HTTP, real store in a temporary directory, scripted models, time that
 * stands still. Declared with `await using` it is closed also when a test fails.
 */
export async function startApp(options: AppOptions = {}) {
  const directory = await temporaryDirectory();
  const time = options.clock ?? fakeClock();
  const models = scriptedModels(time, options.script);
  const { provider = models } = options;
  const providers = options.providers ?? {
    openai: provider,
    anthropic: provider,
    google: provider,
    scripted: provider,
  };
  const logLines: string[] = [];
  const { memoryBytes, sessions, siteDirectory = join(directory.path, 'no-site') } = options;
  const log = createLog('debug', (line) => logLines.push(line));
  const parts = {
    clock: time,
    log,
    providers,
    siteDirectory,
    ...(memoryBytes !== undefined && { memoryBytes }),
    ...(sessions && { sessions }),
  };
  const config = readConfig({
    DATA_DIR: directory.path,
    KEY_PEPPER: 'test-pepper',
    DASHBOARD_SECRET,
    STORE: 'embedded',
    // Nothing listens there: no test asks a router of the internet.
    ROUTER_BASE_URL: 'http://127.0.0.1:9/api/v1',
    ...options.env,
  });
  // Else it would go by the machine's time: a second of that between two requests is one of the limiter's. Its numbers are its own.
  const worldTime = 'world' in time ? (time as FakeClock).world : time;
  const storeClock = { ...worldTime, randomBytes: systemClock.randomBytes };
  const ownStore =
    config.store === 'embedded' && openEmbeddedStore({ directory: config.dataDirectory, clock: storeClock });
  const plain = createServices(config, { ...parts, ...(ownStore && { store: ownStore }) });
  const { store, peppers } = plain;
  const container = options.wrapStore ? createServices(config, { ...parts, store: options.wrapStore(store) }) : plain;
  const server = createHttpServer(container, options.serverTimes);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  /** Moves time, unless the service has another kind of clock. */
  const clock = 'advance' in time ? (time as FakeClock) : fakeClock();

  /** One more key of a user, who was on Pro at that time, whatever became of it. */
  const newKey = async (userId: string, name: string, limits: Partial<NewKey> = {}): Promise<string> => {
    const getSubscription = async () => ({ userId, tier: 'pro', status: 'active', sourceUpdatedAtMs: 0 });
    const deps = { store: { ...store, getSubscription }, clock: time, peppers, keyPrefix: config.keyPrefix };
    const created = await createKey(deps, { ...limits, userId, name });
    if (isRefusal(created)) throw new Error(created.text);
    return created.key;
  };
  /** Another user with a key; without a subscription when `tier` is absent. */
  const user = async (userId: string, tier?: string, status = 'active'): Promise<string> => {
    if (tier !== undefined) await store.putSubscription({ userId, tier, status, sourceUpdatedAtMs: time.nowMs() });
    return newKey(userId, `${userId}-key`);
  };
  /** A key of the Pro user `alice`, which every request carries that names no other. */
  const key = await user('alice', 'pro');

  const get = (path: string, headers?: Record<string, string>): Promise<Response> =>
    fetch(baseUrl + path, { headers: { ...bearer(key), ...headers } });
  /** Posts JSON; a string or Buffer is sent as it is. */
  const post = (path: string, body: unknown, headers?: Record<string, string>): Promise<Response> =>
    fetch(baseUrl + path, {
      method: 'POST',
      headers: { ...bearer(key), 'content-type': 'application/json', ...headers },
      body: isSent(body) ? body : JSON.stringify(body),
    });
  const replyTo = async <Body>(request: () => Promise<Response>): Promise<ApiReply<Body>> => {
    await clock.advance(MINUTE_MS);
    const before = models.calls.length;
    const response = await request();
    const { status, headers } = response;
    const text = await response.text();
    const isJson = headers.get('content-type')?.startsWith('application/json');
    const body = (isJson ? JSON.parse(text) : undefined) as Body;
    return { status, headers, text, body, calls: models.calls.slice(before) };
  };
  /** Gets a path a minute after the last request, so that it finds an empty rate window. */
  const read = <Body>(path: string, by = key): Promise<ApiReply<Body>> => replyTo(() => get(path, bearer(by)));
  /** Posts any body to any path, likewise a minute later. */
  const send = <Body>(path: string, body: unknown, by = key): Promise<ApiReply<Body>> =>
    replyTo(() => post(path, body, bearer(by)));
  /** Posts to an endpoint, likewise a minute later. */
  const sender =
    <Wire>(path: string, whole: object) =>
    <Body = Wire>(fields: Fields = {}, by?: string): Promise<ApiReply<Body>> =>
      send(path, typeof fields === 'string' ? fields : { ...whole, ...fields }, by);
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await store.close();
    await directory.remove();
  };
  return {
    baseUrl,
    key,
    clock,
    models,
    container,
    server,
    logLines,
    get,
    post,
    chat: (fields: Record<string, unknown> = {}) => post(CHAT_PATH, { ...CHAT, ...fields }),
    complete: sender<WireCompletion>(CHAT_PATH, CHAT),
    respond: sender<WireResponse>(RESPONSES_PATH, RESPONSE),
    evaluate: sender<WireEvaluations>(EVALUATIONS_PATH, EVALUATION),
    send,
    read,
    user,
    newKey,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** One service for all tests of a suite; each begins with models that have not been asked, and speak as at first. */
export function sharedApp(options?: AppOptions): App {
  const app = during('all', () => startApp(options));
  beforeEach(() => app.models.reset());
  return app;
}

/** The header a key travels in. */
export function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}

/** A response as requests for evaluations carry it. */
export function answer(modelId: string, response: string, role?: string): Record<string, string> {
  return { modelId, modelName: `Name of ${modelId}`, response, ...(role !== undefined && { role }) };
}

/** Judges as requests for evaluations carry them. */
export function judges(...ids: readonly string[]): { id: string; name: string }[] {
  return ids.map((id) => ({ id, name: `Judge ${id}` }));
}

/** True if a body is sent as it is. */
function isSent(body: unknown): body is string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array;
}
