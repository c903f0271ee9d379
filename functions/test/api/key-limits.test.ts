import { errorBody } from '../support/api-errors';
import {
  answer,
  CHAT,
  CHAT_PATH,
  EVALUATIONS_PATH,
  judges,
  QUESTION,
  RESPONSE,
  RESPONSES_PATH,
  startApp,
} from '../support/app';
import { during } from '../support/during';

const EVALUATION = { prompt: QUESTION, responses: [answer('gpt-4o', 'Yes.')], judge_models: judges('gpt-4o') };

const REQUESTS = [
  { endpoint: 'chat.completions', path: CHAT_PATH, body: CHAT },
  { endpoint: 'responses', path: RESPONSES_PATH, body: RESPONSE },
  { endpoint: 'evaluations', path: EVALUATIONS_PATH, body: EVALUATION },
  { endpoint: 'usage', path: '/v1/usage', body: undefined },
  { endpoint: 'models', path: '/v1/models', body: undefined },
] as const;

/** The 403 that names what a key may not use. */
function notAllowed(what: string): object {
  return errorBody(`This API key may not use the ${what}`, 'permission_error');
}

describe('a key limited to endpoints', () => {
  const app = during('all', startApp);

  const ask = (key: string, { path, body }: (typeof REQUESTS)[number]) =>
    body ? app.send(path, body, key) : app.read(path, key);

  it.each(REQUESTS)('may use $endpoint where that is its only one, and gets a 403 for the others', async (only) => {
    const key = await app.newKey('alice', only.endpoint, { endpoints: [only.endpoint] });
    for (const request of REQUESTS) {
      const { status, body, calls, headers } = await ask(key, request);
      if (request === only) {
        expect(status).toBe(200);
        continue;
      }
      expect({ status, body }).toEqual({ status: 403, body: notAllowed(`endpoint ${request.endpoint}`) });
      expect({ calls, slot: headers.get('x-ratelimit-limit-requests') }).toEqual({ calls: [], slot: null });
    }
  });

  it('is refused before its body is looked at', async () => {
    const key = await app.newKey('alice', 'no-chat', { endpoints: ['models'] });
    const { status, body } = await app.send(CHAT_PATH, 'no JSON', key);
    expect({ status, body }).toEqual({ status: 403, body: notAllowed('endpoint chat.completions') });
  });
});

const PANEL = { models: ['gpt-4o', 'claude-haiku-4-5'] };
const NAMED = { models: [{ name: 'Claude Haiku 4.5' }] };

/** Requests of a key that may use `gpt-*`, and the first model of each that it may not. */
const MODELS: readonly (readonly [rule: string, path: string, fields: object, barred: string | undefined])[] = [
  ['the model asked for', CHAT_PATH, { model: 'claude-haiku-4-5' }, 'claude-haiku-4-5'],
  ['an allowed one passes', CHAT_PATH, { model: 'gpt-4o' }, undefined],
  ['of a stream likewise', CHAT_PATH, { stream: true, model: 'o3' }, 'o3'],
  ['a participant', CHAT_PATH, { model: 'gpt-4o', ai_ensemble: PANEL }, 'claude-haiku-4-5'],
  ['the arbiter of allowed participants', CHAT_PATH, { model: 'o3', ai_ensemble: { models: ['gpt-4o'] } }, 'o3'],
  ['a participant by its display name', CHAT_PATH, { model: 'gpt-4o', ai_ensemble: NAMED }, 'claude-haiku-4-5'],
  ['the same id in other letters', CHAT_PATH, { model: 'GPT-4o' }, 'GPT-4o'],
  ['an id with an allowed one in it', CHAT_PATH, { model: 'x/gpt-4o' }, 'x/gpt-4o'],
  ['a model of a response', RESPONSES_PATH, { model: 'o3' }, 'o3'],
  ['a judge', EVALUATIONS_PATH, { judge_models: judges('gpt-4o', 'o3') }, 'o3'],
  [
    'no author of evaluated responses, who is not called',
    EVALUATIONS_PATH,
    { responses: [answer('o3', 'Yes.')] },
    undefined,
  ],
  ['a participant behind a virtual id', CHAT_PATH, { model: 'ensemble' }, 'gemini-2.5-flash'],
  [
    'the arbiter behind a virtual id',
    RESPONSES_PATH,
    { model: 'ensemble-expert-panel', ai_ensemble: { models: ['gpt-4o'] } },
    'o3',
  ],
];
const GOOD: Readonly<Record<string, object>> = Object.fromEntries(REQUESTS.map(({ path, body }) => [path, body ?? {}]));

describe('a key limited to models', () => {
  const app = during('all', () =>
    startApp({
      env: { DEFAULT_MODEL: 'o3', DEFAULT_PANEL: 'gpt-4o,gemini-2.5-flash', OPENAI_API_KEY: 'x', GEMINI_API_KEY: 'x' },
    }),
  );
  let key: string;
  beforeAll(async () => {
    key = await app.newKey('alice', 'gpt', { models: ['gpt-*'] });
  });

  it.each(MODELS)('403 by name: %s', async (_, path, fields, barred) => {
    const { status, body, calls, headers } = await app.send(path, { ...GOOD[path], ...fields }, key);
    if (barred === undefined) return expect(status).toBe(200);
    expect({ status, body }).toEqual({ status: 403, body: notAllowed(`model ${barred}`) });
    expect({ calls, slot: headers.get('x-ratelimit-limit-requests') }).toEqual({ calls: [], slot: null });
  });

  it('a body that is wrong is a 400 all the same', async () => {
    const { status } = await app.send(CHAT_PATH, { model: 'o3', messages: [] }, key);
    expect(status).toBe(400);
  });

  it('is listed only models that it may use, and no virtual id whose models it may not', async () => {
    const ids = async (by: string): Promise<string[]> =>
      (await app.read<{ data: { id: string }[] }>('/v1/models', by)).body.data.map(({ id }) => id);
    const [all, own] = [await ids(app.key), await ids(key)];
    expect(all).toEqual(expect.arrayContaining(['o3', 'gemini-2.5-flash', 'ensemble']));
    expect(own).toEqual(all.filter((id) => id.startsWith('gpt-')));
    expect(own.length).toBeGreaterThan(0);
    const whole = await app.newKey('alice', 'whole', { models: ['gpt-4o', 'o3', 'gemini-*'] });
    expect(await ids(whole)).toEqual(expect.arrayContaining(['gpt-4o', 'o3', 'gemini-2.5-flash', 'ensemble']));
    expect(await ids(whole)).not.toContain('gpt-4o-mini');
  });
});
