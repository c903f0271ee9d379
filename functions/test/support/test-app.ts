import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKey } from '../../src/account/keys';
import { readConfig } from '../../src/config';
import { type Container, createContainer } from '../../src/container';
import { isRefusal } from '../../src/errors';
import { type Clock, systemClock } from '../../src/lib/clock';
import { createLog } from '../../src/lib/log';
import type { ProviderId } from '../../src/models/catalog';
import type { ModelProvider } from '../../src/models/model';
import { demoScript } from '../../src/providers/demo-script';
import { createScriptedProvider, type Script } from '../../src/providers/scripted';
import type { Store } from '../../src/store/store';

/**
 * The whole service on a loopback port: real HTTP, real store in a temporary directory, scripted models. Declared with
 * `await using` it is closed also when a test fails.
 */
export interface TestApp extends AsyncDisposable {
  readonly baseUrl: string;
  /** A key of the Pro user `alice`. */
  readonly key: string;
  readonly keyId: string;
  readonly container: Container;
  readonly logLines: string[];
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /** Posts JSON (a string or Buffer is sent as it is) with alice's key. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** A chat completion with one user message, over these fields. */
  chat(fields?: Record<string, unknown>): Promise<Response>;
  /** Another user with a key; without a subscription when `tier` is absent. */
  user(userId: string, tier?: string, status?: string): Promise<string>;
  close(): Promise<void>;
}

export interface TestAppOptions {
  /** Plays every model of every provider; default: the demo script. */
  readonly script?: Script;
  /** Plays every model instead of a script. */
  readonly provider?: ModelProvider;
  /** The whole provider table; an id left out is what the configuration makes of it (nothing, unless `env` says so). */
  readonly providers?: Partial<Record<ProviderId, ModelProvider>>;
  readonly clock?: Clock;
  /** Wraps the store, e.g. to make it fail. */
  readonly wrapStore?: (store: Store) => Store;
  readonly env?: Record<string, string>;
}

export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const directory = mkdtempSync(join(tmpdir(), 'ensemble-test-'));
  const clock = options.clock ?? systemClock;
  const logLines: string[] = [];
  const log = createLog('debug', (line) => logLines.push(line));
  const provider =
    options.provider ?? createScriptedProvider({ clock, script: options.script ?? demoScript, pieceDelayMs: 0 });
  const providers = options.providers ?? {
    openai: provider,
    anthropic: provider,
    google: provider,
    scripted: provider,
  };
  const config = readConfig({ DATA_DIR: directory, KEY_PEPPER: 'test-pepper', STORE: 'embedded', ...options.env });
  const plain = createContainer(config, { clock, log, providers });
  const container = options.wrapStore
    ? createContainer(config, { clock, log, providers, store: options.wrapStore(plain.store) })
    : plain;
  const server = createServer((req, res) => void container.app(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const user = async (userId: string, tier?: string, status = 'active'): Promise<{ key: string; keyId: string }> => {
    if (tier !== undefined)
      await plain.store.putSubscription({ userId, tier, status, sourceUpdatedAtMs: clock.nowMs() });
    const desk = { store: plain.store, clock, peppers: container.peppers, keyPrefix: config.keyPrefix };
    const created = await createKey(desk, { userId, name: `${userId}-key` });
    if (isRefusal(created)) throw new Error(created.text);
    return { key: created.key, keyId: created.record.keyId };
  };
  const alice = await user('alice', 'pro');
  const bearer = { authorization: `Bearer ${alice.key}` };
  const post: TestApp['post'] = (path, body, headers = {}) =>
    fetch(baseUrl + path, {
      method: 'POST',
      headers: { ...bearer, 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
    });
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await plain.store.close();
    rmSync(directory, { recursive: true, force: true });
  };
  return {
    baseUrl,
    ...alice,
    container,
    logLines,
    post,
    get: (path, headers = {}) => fetch(baseUrl + path, { headers: { ...bearer, ...headers } }),
    chat: (fields = {}) =>
      post('/v1/chat/completions', {
        model: 'demo-ada',
        messages: [{ role: 'user', content: 'Is a tomato a fruit?' }],
        ...fields,
      }),
    user: async (...args) => (await user(...args)).key,
    close,
    [Symbol.asyncDispose]: close,
  };
}
