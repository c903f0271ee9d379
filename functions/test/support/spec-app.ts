import { createKey } from '../../src/account/keys';
import { isRefusal } from '../../src/errors';
import type { ProviderCall } from '../../src/models/model';
import { type FakeClock, fakeClock } from './fake-clock';
import { type RecordedModels, recordModels } from './recorded-models';
import { startTestApp, type TestApp, type TestAppOptions } from './test-app';

/** A reply read to its end; `body` is undefined where the text is no JSON. */
export interface SpecReply<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Body;
  /** The model calls made for it. */
  readonly calls: readonly ProviderCall[];
}

/** The service as the table-driven suites use it: time stands still, models are recorded, no row runs into the limit. */
export interface SpecApp extends TestApp {
  readonly clock: FakeClock;
  readonly models: RecordedModels;
  /**
   * Posts a chat completion: these fields over a model and one user message (`undefined` removes one), or a whole body
   * as text. A minute passes first, so that every row finds an empty rate window.
   */
  complete<Body = WireCompletion>(fields?: Record<string, unknown> | string, key?: string): Promise<SpecReply<Body>>;
  /** Posts to `/v1/responses` in the same way: these fields over a model and an input. */
  respond<Body = WireResponse>(fields?: Record<string, unknown> | string, key?: string): Promise<SpecReply<Body>>;
  /** Gets a path, likewise a minute later. */
  read<Body>(path: string, key?: string): Promise<SpecReply<Body>>;
  /** One more key of a user. */
  newKey(userId: string, name: string): Promise<string>;
}

/** A `ChatCompletionResponse`, loosely typed for assertions. */
export interface WireCompletion {
  readonly model: string;
  readonly choices: readonly [
    {
      readonly message: { readonly role: string; readonly content: string; readonly explanation?: string };
      readonly finish_reason: string;
      readonly candidates?: readonly { readonly modelId: string; readonly response: string }[];
      readonly followUpPrompts?: readonly string[];
    },
  ];
  readonly usage: Readonly<Record<string, unknown>>;
  readonly degraded?: readonly string[];
}

/** A `ResponsesResponse`, loosely typed for assertions. */
export interface WireResponse {
  readonly id: string;
  readonly model: string;
  readonly output: readonly [
    {
      readonly id: string;
      readonly content: readonly [{ readonly type: string; readonly text: string }];
    },
  ];
  readonly usage: Readonly<Record<string, unknown>>;
  readonly explanation?: string;
  readonly candidates?: readonly { readonly modelId: string; readonly response: string }[];
  readonly followUpPrompts?: readonly string[];
  readonly degraded?: readonly string[];
}

/** The prompt of every request that does not bring its own. */
export const PROMPT = 'Is a tomato a fruit?';
export const CHAT_PATH = '/v1/chat/completions';
export const RESPONSES_PATH = '/v1/responses';
/** The smallest good request of each endpoint that runs models. */
export const CHAT = { model: 'demo-ada', messages: [{ role: 'user', content: PROMPT }] };
export const RESPONSE = { model: 'demo-ada', input: PROMPT };
/** Both, for the rules that hold for either. */
export const RUN_ENDPOINTS = [
  { path: CHAT_PATH, body: CHAT },
  { path: RESPONSES_PATH, body: RESPONSE },
] as const;
const MINUTE_MS = 60_000;

/** Starts the service at 2026-01-15T12:00:00Z on a clock of its own. */
export async function startSpecApp(options: Omit<TestAppOptions, 'clock' | 'script'> = {}): Promise<SpecApp> {
  const clock = fakeClock();
  const models = recordModels();
  const app = await startTestApp({ ...options, clock, script: models.script });

  const replyOf = async <Body>(response: Response): Promise<SpecReply<Body>> => {
    const { status, headers } = response;
    const text = await response.text();
    const isJson = headers.get('content-type')?.startsWith('application/json');
    return { status, headers, text, body: (isJson ? JSON.parse(text) : undefined) as Body, calls: [...models.calls] };
  };
  const fresh = (): Promise<void> => clock.advance(MINUTE_MS);
  /** Posts over a whole body, a minute later. */
  const sender =
    (path: string, whole: object) =>
    async <Body>(fields: Record<string, unknown> | string = {}, key = app.key): Promise<SpecReply<Body>> => {
      await fresh();
      const body = typeof fields === 'string' ? fields : { ...whole, ...fields };
      return replyOf(await app.post(path, body, bearer(key)));
    };

  return {
    ...app,
    clock,
    models,
    complete: sender(CHAT_PATH, CHAT),
    respond: sender(RESPONSES_PATH, RESPONSE),
    read: async (path, key = app.key) => {
      await fresh();
      return replyOf(await app.get(path, bearer(key)));
    },
    newKey: async (userId, name) => {
      const { store, peppers, config } = app.container;
      const created = await createKey({ store, clock, peppers, keyPrefix: config.keyPrefix }, { userId, name });
      if (isRefusal(created)) throw new Error(created.text);
      return created.key;
    },
  };
}

/** The header a key travels in. */
export function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}
