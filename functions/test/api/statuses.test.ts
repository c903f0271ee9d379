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

interface Row {
  readonly endpoint: string;
  readonly status: number;
  readonly rule: string;
  readonly body?: object;
  readonly query?: string;
  readonly caller?: 'alice' | 'nobody' | 'free';
  readonly state?: State;
  readonly expected: unknown;
}

const MODELS_FAILED = errorBody('The model failed: demo-ada (overloaded)', 'api_error');

/** Every status of the error table (docs/api.md, Errors) for every endpoint that has it: the whole error body, no key more. */
const ROWS: readonly Row[] = [
  {
    endpoint: CHAT_PATH,
    status: 200,
    rule: 'a good request',
    body: CHAT,
    expected: expect.objectContaining({ object: 'chat.completion' }),
  },
  {
    endpoint: CHAT_PATH,
    status: 400,
    rule: 'empty messages',
    body: { ...CHAT, messages: [] },
    expected: INVALID_MESSAGES,
  },
  { endpoint: CHAT_PATH, status: 401, rule: 'no valid key', body: CHAT, caller: 'nobody', expected: UNAUTHORIZED },
  {
    endpoint: CHAT_PATH,
    status: 403,
    rule: 'no active Pro subscription',
    body: CHAT,
    caller: 'free',
    expected: NO_SUBSCRIPTION,
  },
  {
    endpoint: CHAT_PATH,
    status: 429,
    rule: 'limit exceeded',
    body: CHAT,
    state: 'limit exhausted',
    expected: RATE_LIMITED,
  },
  {
    endpoint: CHAT_PATH,
    status: 500,
    rule: 'orchestration failure',
    body: CHAT,
    state: 'models fail',
    expected: MODELS_FAILED,
  },
  { endpoint: CHAT_PATH, status: 500, rule: 'internal error', body: CHAT, state: 'store fails', expected: INTERNAL },
  {
    endpoint: RESPONSES_PATH,
    status: 200,
    rule: 'a good request',
    body: RESPONSE,
    expected: expect.objectContaining({ object: 'response' }),
  },
  {
    endpoint: RESPONSES_PATH,
    status: 400,
    rule: 'input that is no string',
    body: { ...RESPONSE, input: [RESPONSE] },
    expected: INPUT_IS_LIST,
  },
  {
    endpoint: RESPONSES_PATH,
    status: 401,
    rule: 'no valid key',
    body: RESPONSE,
    caller: 'nobody',
    expected: UNAUTHORIZED,
  },
  {
    endpoint: RESPONSES_PATH,
    status: 403,
    rule: 'no active Pro subscription',
    body: RESPONSE,
    caller: 'free',
    expected: NO_SUBSCRIPTION,
  },
  {
    endpoint: RESPONSES_PATH,
    status: 429,
    rule: 'limit exceeded',
    body: RESPONSE,
    state: 'limit exhausted',
    expected: RATE_LIMITED,
  },
  {
    endpoint: RESPONSES_PATH,
    status: 500,
    rule: 'orchestration failure',
    body: RESPONSE,
    state: 'models fail',
    expected: MODELS_FAILED,
  },
  {
    endpoint: RESPONSES_PATH,
    status: 500,
    rule: 'internal error',
    body: RESPONSE,
    state: 'store fails',
    expected: INTERNAL,
  },
  {
    endpoint: '/v1/usage',
    status: 200,
    rule: 'a good request',
    expected: { object: 'list', data: [], has_more: false },
  },
  {
    endpoint: '/v1/usage',
    status: 400,
    rule: 'an unparseable date',
    query: '?start_date=never',
    expected: INVALID_DATE,
  },
  { endpoint: '/v1/usage', status: 401, rule: 'no valid key', caller: 'nobody', expected: UNAUTHORIZED },
  { endpoint: '/v1/usage', status: 403, rule: 'no active Pro subscription', caller: 'free', expected: NO_SUBSCRIPTION },
  { endpoint: '/v1/usage', status: 429, rule: 'limit exceeded', state: 'limit exhausted', expected: RATE_LIMITED },
  { endpoint: '/v1/usage', status: 500, rule: 'internal error', state: 'store fails', expected: INTERNAL },
  {
    endpoint: '/v1/models',
    status: 200,
    rule: 'a good request',
    expected: expect.objectContaining({ object: 'list' }),
  },
  { endpoint: '/v1/models', status: 401, rule: 'no valid key', caller: 'nobody', expected: UNAUTHORIZED },
  {
    endpoint: '/v1/models',
    status: 403,
    rule: 'no active Pro subscription',
    caller: 'free',
    expected: NO_SUBSCRIPTION,
  },
  { endpoint: '/v1/models', status: 500, rule: 'internal error', state: 'store fails', expected: INTERNAL },
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
  const keyOf = async (caller: Row['caller']): Promise<string> => {
    if (caller === 'nobody') return 'sk-ens_nobody';
    return caller === 'free' ? app.user('bob', 'free') : app.key;
  };

  it.each(ROWS)(
    '$endpoint $status: $rule',
    async ({ endpoint, status, body, query = '', caller, state = 'well', expected }) => {
      const headers = bearer(await keyOf(caller));
      await enter[state]();
      const reply = body ? await app.post(endpoint, body, headers) : await app.get(endpoint + query, headers);
      expect({ status: reply.status, body: await reply.json() }).toEqual({ status, body: expected });
      expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    },
  );
});
