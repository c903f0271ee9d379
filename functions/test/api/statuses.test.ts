import {
  errorBody,
  INPUT_IS_LIST,
  INTERNAL,
  INVALID_DATE,
  INVALID_MESSAGES,
  NO_SUBSCRIPTION,
  RATE_LIMITED,
  UNAUTHORIZED,
} from '../support/api-errors';
import { type App, bearer, CHAT, CHAT_PATH, RESPONSE, RESPONSES_PATH, startApp } from '../support/app';
import { failing } from '../support/scripted-models';

/** The state the service is in when the request comes. */
type State = 'well' | 'limit exhausted' | 'models fail' | 'store fails';

interface Case {
  readonly body?: object;
  readonly query?: string;
  readonly caller?: 'nobody' | 'free';
  readonly state?: State;
}

const PLACES: readonly (readonly [path: string, request: Case, reply: unknown])[] = [
  [CHAT_PATH, { body: CHAT }, expect.objectContaining({ object: 'chat.completion' })],
  [RESPONSES_PATH, { body: RESPONSE }, expect.objectContaining({ object: 'response' })],
  ['/v1/usage', {}, { object: 'list', data: [], has_more: false }],
  ['/v1/models', {}, expect.objectContaining({ object: 'list' })],
];
const MODELS_FAILED = errorBody('The model failed: demo-ada (overloaded)', 'api_error');

/** Every status of the error table (docs/api.md, Errors) for every endpoint that has it: the whole error body, no key more. */
const ROWS: readonly (readonly [path: string, status: number, request: Case, reply: unknown])[] = [
  ...PLACES.flatMap(([path, request, reply]) => [
    [path, 200, request, reply] as const,
    [path, 401, { ...request, caller: 'nobody' }, UNAUTHORIZED] as const,
    [path, 403, { ...request, caller: 'free' }, NO_SUBSCRIPTION] as const,
    [path, 500, { ...request, state: 'store fails' }, INTERNAL] as const,
  ]),
  [CHAT_PATH, 400, { body: { ...CHAT, messages: [] } }, INVALID_MESSAGES],
  [RESPONSES_PATH, 400, { body: { ...RESPONSE, input: [RESPONSE] } }, INPUT_IS_LIST],
  ['/v1/usage', 400, { query: '?start_date=never' }, INVALID_DATE],
  [CHAT_PATH, 429, { body: CHAT, state: 'limit exhausted' }, RATE_LIMITED],
  [RESPONSES_PATH, 429, { body: RESPONSE, state: 'limit exhausted' }, RATE_LIMITED],
  ['/v1/usage', 429, { state: 'limit exhausted' }, RATE_LIMITED],
  [CHAT_PATH, 500, { body: CHAT, state: 'models fail' }, MODELS_FAILED],
  [RESPONSES_PATH, 500, { body: RESPONSE, state: 'models fail' }, MODELS_FAILED],
];

describe('every status of every endpoint', () => {
  let storeFails = false;
  let app: App;
  beforeEach(async () => {
    storeFails = false;
    app = await startApp({
      wrapStore: (store) => ({
        ...store,
        readAccess: (hashes) => (storeFails ? Promise.reject(new Error('disk full')) : store.readAccess(hashes)),
      }),
    });
  });
  afterEach(() => app.close());

  const enter: Readonly<Record<State, () => Promise<unknown> | undefined>> = {
    well: () => undefined,
    'limit exhausted': () => Promise.all(Array.from({ length: 30 }, () => app.get('/v1/usage'))),
    'models fail': async () => app.models.play(() => failing('overloaded')),
    'store fails': async () => {
      storeFails = true;
    },
  };
  const keyOf = async (caller: Case['caller']): Promise<string> => {
    if (caller === 'nobody') return 'sk-ens_nobody';
    return caller === 'free' ? app.user('bob', 'free') : app.key;
  };

  it.each(ROWS)('%s %i: %j', async (path, status, { body, query = '', caller, state = 'well' }, expected) => {
    const headers = bearer(await keyOf(caller));
    await enter[state]();
    const reply = body ? await app.post(path, body, headers) : await app.get(path + query, headers);
    expect({ status: reply.status, body: await reply.json() }).toEqual({ status, body: expected });
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });
});
