import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { type Attributes, INVALID_SPAN_CONTEXT, type Span, type SpanOptions, trace } from '@opentelemetry/api';
import { openPlaygroundRun, PlaygroundRequest } from '../../src/api/playground/playground';
import { addRouterModels, saveRouterKey } from '../../src/byok/router';
import { type Clock, systemClock } from '../../src/lib/clock';
import type { Store } from '../../src/store/store';
import { traceRequest } from '../../src/telemetry/request-trace';
import { type App, startApp } from '../support/app';
import { during } from '../support/during';
import { type Reply, sendEvents, sendStatus, startFakeUpstream } from '../support/fake-upstream';
import { play, playgroundOf, sendAnswer, sendRouterList, UMA } from '../support/playground';
import { WIRES } from '../support/wires';

/** The unique part of the router key: whoever lets a piece of it out lets it be found. */
const CANARY = 'cAnArYqZ7wX2vK9pLmTrouter';
const ROUTER_KEY = `sk-or-v1-${CANARY}-0042`;
/** One that no pattern of a redacting log would know. */
const BARE_KEY = `${CANARY}=0042`;
const EAGLE = 'owl/eagle-1';

/** Every form in which bytes of a secret could lie in a file or a text. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((shift) => bytes.subarray(shift).toString('base64url').slice(0, 24));
  return [secret, ...base64, bytes.toString('hex'), bytes.toString('utf16le'), encodeURIComponent(secret)];
}

/** Faults of an upstream; where it can, it repeats the key it was sent. */
const FAULTS: readonly (readonly [name: string, reply: (key: string) => Reply])[] = [
  ['401 that repeats the key', (key) => sendStatus(401, { error: { message: `Bad key ${key}`, code: key } })],
  ['402 in plain text', (key) => sendStatus(402, `pay first, ${key}`)],
  ['429', (key) => sendStatus(429, { error: { message: key, type: key } }, { 'retry-after': '9999' })],
  ['500', (key) => sendStatus(500, { error: { message: key, type: key, param: key } }, { 'x-request-id': key })],
  ['redirect to a URL with the key', (key) => sendStatus(307, key, { location: `http://127.0.0.1:1/?k=${key}` })],
  ['broken JSON in an event', (key) => sendEvents(`data: {"${key}\n\n`)],
  ['JSON that is none', (key) => sendStatus(200, `{"${key}`, { 'content-type': 'application/json' })],
  [
    'error in the stream',
    (key) => sendEvents(`event: error\ndata: {"error":{"message":"${key}","code":"${key}"}}\n\n`),
  ],
  ['stream without an end', () => sendEvents('data: {"choices":[]}\n\n')],
  ['connection that breaks', () => (exchange) => exchange.cut()],
  ['empty answer', () => sendEvents('data: [DONE]\n\n')],
];

describe('no secret is found outside its sealed field', () => {
  const router = during('each', startFakeUpstream);
  /** Minutes gone, so that no run meets the limit. Timers are real: retries are waited for. */
  let minutes: number;
  let app: App;
  /** Everything that anybody outside could have seen. */
  let seen: string[];
  let failing: boolean;
  beforeEach(async () => {
    minutes = 0;
    const clock: Clock = { ...systemClock, nowMs: () => systemClock.nowMs() + minutes * 60_000 };
    seen = [];
    recordSpans();
    failing = false;
    app = await startApp({
      clock,
      providers: {},
      env: { ROUTER_BASE_URL: `${router.url}/v1`, OPENAI_BASE_URL: `${router.url}/v1`, OPENAI_API_KEY: BARE_KEY },
      wrapStore: (store) => breakable(store),
    });
    await app.user(UMA, 'byok');
  });
  afterEach(async () => {
    trace.disable();
    await app.close();
  });

  /** A store that, when told, fails with all it was given in its message, as a careless driver would. */
  function breakable(store: Store): Store {
    return new Proxy(store, {
      get: (target, name) => {
        const work = Reflect.get(target, name);
        if (typeof work !== 'function') return work;
        return (...given: unknown[]) =>
          failing
            ? Promise.reject(new Error(`${String(name)} failed: ${JSON.stringify(given)}`))
            : work.apply(target, given);
      },
    });
  }

  /** All that an OpenTelemetry SDK would be told. */
  function recordSpans(): void {
    const span = {
      spanContext: () => INVALID_SPAN_CONTEXT,
      isRecording: () => true,
      setAttributes: (attributes: Attributes) => see(attributes),
      setStatus: (status: unknown) => see(status),
      end: () => undefined,
    } as unknown as Span;
    const startSpan = (name: string, options: SpanOptions): Span => {
      see({ name, ...options });
      return span;
    };
    trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) as never });
  }

  const see = (value: unknown) => seen.push(typeof value === 'string' ? value : JSON.stringify(value), inspect(value));
  const attempt = async (work: () => Promise<unknown>) => {
    try {
      see(await work());
    } catch (error) {
      see(error instanceof Error ? { ...error, name: error.name, message: error.message, stack: error.stack } : error);
    }
  };
  const prepare = async (key: string) => {
    const { account } = app.container;
    see(await saveRouterKey(account, { userId: UMA, key }));
    router.willReply(sendRouterList);
    see(await addRouterModels(account, { userId: UMA, slugs: [EAGLE] }));
  };
  const files = () =>
    readdirSync(app.container.config.dataDirectory).map((name) =>
      readFileSync(join(app.container.config.dataDirectory, name)),
    );
  const everything = () => [...seen, ...app.logLines].join('\n');
  const expectNothing = (...secrets: string[]) => {
    const text = everything();
    const stored = files();
    expect(stored.length).toBeGreaterThan(1);
    for (const form of secrets.flatMap(formsOf)) {
      expect(text.includes(form)).toBe(false);
      expect(stored.some((bytes) => bytes.includes(form) || bytes.includes(Buffer.from(form, 'latin1')))).toBe(false);
    }
  };

  it.each([ROUTER_KEY, BARE_KEY])('whatever the router does with %s', async (key) => {
    await prepare(key);
    const playground = playgroundOf(app);
    for (const [, reply] of FAULTS) {
      router.willReply(reply(key));
      await attempt(() => playground.run({ model: EAGLE }));
      minutes += 1;
    }
    // One that says nothing at all, until the user has gone.
    router.willReply(() => {});
    const controller = new AbortController();
    const { account } = app.container;
    const fields = PlaygroundRequest.parse({ model: EAGLE, messages: [{ role: 'user', content: 'Hi' }] });
    const opened = await openPlaygroundRun(account, {
      id: 'a'.repeat(32),
      userId: UMA,
      startedAtMs: account.clock.nowMs(),
      fields,
      clientGone: controller.signal,
      trace: traceRequest(account.log, { requestId: 'a'.repeat(32), method: 'POST', path: '/playground', headers: {} }),
    });
    const running = play(opened);
    setImmediate(() => controller.abort());
    await attempt(() => running);
    // And one that works, so that the key is known to have been used.
    router.willReply(sendAnswer('Fine.'));
    await attempt(() => playground.run({ model: EAGLE }));
    expect(router.requests.filter(({ headers }) => headers.authorization === `Bearer ${key}`).length).toBeGreaterThan(
      FAULTS.length,
    );
    expect(seen.at(-1)).toContain('Fine.');
    expectNothing(CANARY, key);
  });

  it('whatever the store does, at every step', async () => {
    await prepare(ROUTER_KEY);
    const { account } = app.container;
    failing = true;
    await attempt(() => saveRouterKey(account, { userId: UMA, key: ROUTER_KEY }));
    await attempt(() => playgroundOf(app).run({ model: EAGLE }));
    failing = false;
    const opened = await playgroundOf(app).open({ model: EAGLE });
    router.willReply(sendAnswer('Fine.'));
    failing = true;
    await attempt(() => play(opened));
    failing = false;
    expect(everything()).toContain('failed');
    expectNothing(CANARY);
  });

  it('whatever shape a key has that is not taken', async () => {
    const { account } = app.container;
    for (const key of [`${CANARY}\nx: y`, `${CANARY} ${CANARY}`, `${CANARY}é`, CANARY.repeat(30)]) {
      await attempt(() => saveRouterKey(account, { userId: UMA, key }));
    }
    expect(seen.join()).toContain('Invalid key');
    expectNothing(CANARY);
  });

  it('nor an API key, nor the key of a provider, whatever fails', async () => {
    for (const [, reply] of FAULTS) {
      for (const { path, prompt } of WIRES) {
        router.willReply(reply(app.key), reply(BARE_KEY));
        for (const stream of [false, true]) {
          const response = await app.post(path, { model: 'vendor-x', ...prompt(), stream });
          see([...response.headers]);
          see(await response.text());
        }
      }
      minutes += 1;
    }
    for (const authorization of [`Bearer ${app.key}x`, `Bearer ${app.key.slice(0, -1)}`, `Basic ${app.key}`, app.key]) {
      see(await (await app.get('/v1/models', { authorization })).text());
    }
    // What people paste where it does not belong; the replies repeat it to themselves only.
    await app.get(`/v1/${encodeURIComponent(`Bearer ${app.key}`)}`);
    await app.get(`/v1/x${'y'.repeat(150)}/${app.key}/more`);
    failing = true;
    see(await (await app.chat({})).text());
    see(await (await app.get('/v1/usage')).text());
    failing = false;
    expect(everything()).toContain('Internal server error');
    expectNothing(CANARY, app.key, app.key.slice(8, -6));
  });
});
