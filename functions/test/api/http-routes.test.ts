import {
  errorBody,
  INPUT_IS_LIST,
  INVALID_DATE,
  INVALID_MESSAGES,
  NO_SUBSCRIPTION,
  RATE_LIMITED,
  UNAUTHORIZED,
} from '../support/api-errors';
import { type App, bearer, CHAT, CHAT_PATH, RESPONSE, RESPONSES_PATH, startApp } from '../support/app';
import { type RawReply, type RawRequest, sendRaw } from '../support/raw-http';

/** Who asks: what of a caller is wrong. */
type Caller = 'good' | 'bad key' | 'no key' | 'not Pro' | 'limit exhausted';

const GOOD_BODY = JSON.stringify(CHAT);
const ANY_400 = errorBody(expect.stringMatching(/^Invalid/));
const ANY_404 = errorBody(expect.stringMatching(/\S/));

/** Two things wrong at once: the earlier check in the order route → key → subscription → validation → limit speaks. */
const ORDER: readonly { rule: string; caller: Caller; request: RawRequest; status: number; expected: unknown }[] = [
  {
    rule: 'unknown route before key: 404',
    caller: 'bad key',
    request: { method: 'GET', path: '/v1/nothing' },
    status: 404,
    expected: ANY_404,
  },
  {
    rule: 'unknown route before a missing key: 404',
    caller: 'no key',
    request: { method: 'POST', path: '/v2/chat/completions', body: '{' },
    status: 404,
    expected: ANY_404,
  },
  {
    rule: 'wrong method before key: 405',
    caller: 'bad key',
    request: { method: 'GET', path: CHAT_PATH },
    status: 405,
    expected: ANY_404,
  },
  {
    rule: 'key before malformed JSON: 401',
    caller: 'bad key',
    request: { method: 'POST', path: CHAT_PATH, body: '{"model":' },
    status: 401,
    expected: UNAUTHORIZED,
  },
  {
    rule: 'key before an invalid input: 401',
    caller: 'bad key',
    request: { method: 'POST', path: RESPONSES_PATH, body: '{}' },
    status: 401,
    expected: UNAUTHORIZED,
  },
  {
    rule: 'key before a bad date: 401',
    caller: 'no key',
    request: { method: 'GET', path: '/v1/usage?start_date=never' },
    status: 401,
    expected: UNAUTHORIZED,
  },
  {
    rule: 'key before content-encoding: 401',
    caller: 'bad key',
    request: { method: 'POST', path: CHAT_PATH, headers: { 'content-encoding': 'gzip' }, body: GOOD_BODY },
    status: 401,
    expected: UNAUTHORIZED,
  },
  {
    rule: 'subscription before malformed JSON: 403',
    caller: 'not Pro',
    request: { method: 'POST', path: CHAT_PATH, body: '{"model":' },
    status: 403,
    expected: NO_SUBSCRIPTION,
  },
  {
    rule: 'subscription before an invalid body: 403',
    caller: 'not Pro',
    request: { method: 'POST', path: CHAT_PATH, body: '{}' },
    status: 403,
    expected: NO_SUBSCRIPTION,
  },
  {
    rule: 'subscription before an invalid input: 403',
    caller: 'not Pro',
    request: { method: 'POST', path: RESPONSES_PATH, body: '{}' },
    status: 403,
    expected: NO_SUBSCRIPTION,
  },
  {
    rule: 'subscription before a bad date: 403',
    caller: 'not Pro',
    request: { method: 'GET', path: '/v1/usage?start_date=never' },
    status: 403,
    expected: NO_SUBSCRIPTION,
  },
  {
    rule: 'malformed JSON before the limit: 400',
    caller: 'limit exhausted',
    request: { method: 'POST', path: CHAT_PATH, body: '{"model":' },
    status: 400,
    expected: ANY_400,
  },
  {
    rule: 'an invalid body before the limit: 400',
    caller: 'limit exhausted',
    request: { method: 'POST', path: CHAT_PATH, body: '{"model":"demo-ada","messages":[]}' },
    status: 400,
    expected: INVALID_MESSAGES,
  },
  {
    rule: 'an array of input before the limit: 400',
    caller: 'limit exhausted',
    request: { method: 'POST', path: RESPONSES_PATH, body: '{"model":"demo-ada","input":[]}' },
    status: 400,
    expected: INPUT_IS_LIST,
  },
  {
    rule: 'a bad date before the limit: 400',
    caller: 'limit exhausted',
    request: { method: 'GET', path: '/v1/usage?start_date=never' },
    status: 400,
    expected: INVALID_DATE,
  },
  {
    rule: 'the limit last: 429',
    caller: 'limit exhausted',
    request: { method: 'POST', path: CHAT_PATH, body: GOOD_BODY },
    status: 429,
    expected: RATE_LIMITED,
  },
  {
    rule: 'the limit last: 429 for responses',
    caller: 'limit exhausted',
    request: { method: 'POST', path: RESPONSES_PATH, body: JSON.stringify(RESPONSE) },
    status: 429,
    expected: RATE_LIMITED,
  },
  {
    rule: 'the limit last: 429 for usage',
    caller: 'limit exhausted',
    request: { method: 'GET', path: '/v1/usage' },
    status: 429,
    expected: RATE_LIMITED,
  },
];

const METHODS: readonly { method: string; path: string; allow: string }[] = [
  ...['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => ({ method, path: CHAT_PATH, allow: 'POST' })),
  ...['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => ({ method, path: RESPONSES_PATH, allow: 'POST' })),
  ...['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => ({ method, path: '/v1/usage', allow: 'GET' })),
  ...['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => ({ method, path: '/v1/models', allow: 'GET' })),
  ...['POST', 'DELETE'].map((method) => ({ method, path: '/v1/models/demo-ada', allow: 'GET' })),
  ...['POST', 'DELETE'].map((method) => ({ method, path: '/', allow: 'GET, HEAD' })),
  ...['POST', 'DELETE'].map((method) => ({ method, path: '/health', allow: 'GET, HEAD' })),
];

const UNKNOWN_PATHS = [
  '/v1',
  '/v1/',
  '/chat/completions',
  '/V1/models',
  '/v1/models/no-such-model',
  '/v1/models/%zz',
  '/v1/responses/resp_1768478400000',
  '//',
  '//v1/models',
  '/v1/%zz',
  '/v1/../v1',
];

const SAYS_WHERE: readonly { method: string; path: string; hint: string }[] = [
  ...[CHAT_PATH, RESPONSES_PATH].map((path) => ({
    method: 'POST',
    path: path.slice('/v1'.length),
    hint: `the base URL ends in /v1, as in POST ${path}`,
  })),
  { method: 'GET', path: '/models', hint: 'the base URL ends in /v1, as in GET /v1/models' },
  { method: 'POST', path: `/v1${CHAT_PATH}`, hint: `the path has /v1 twice, use ${CHAT_PATH}` },
  ...['/v1//chat/completions', '//v1/chat/completions', '//v1///chat//completions/'].map((path) => ({
    method: 'POST',
    path,
    hint: `the path has two slashes in a row, use ${CHAT_PATH}`,
  })),
  { method: 'GET', path: '/v1//models/demo-ada', hint: 'the path has two slashes in a row, use /v1/models/demo-ada' },
  { method: 'GET', path: '//models', hint: 'the base URL ends in /v1, as in GET /v1/models' },
  {
    method: 'POST',
    path: '/v1/completions',
    hint: 'use POST /v1/chat/completions, with messages instead of a prompt',
  },
  ...['/v1/embeddings', '/embeddings'].map((path) => ({
    method: 'POST',
    path,
    hint: 'this service makes no embeddings, ask the provider of the embedding model for them',
  })),
];

describe('the order of the checks, routes and methods', () => {
  let app: App;
  let keys: Readonly<Record<Caller, string | undefined>>;
  beforeAll(async () => {
    app = await startApp();
    const exhausted = await app.user('dora', 'pro');
    keys = {
      good: app.key,
      'no key': undefined,
      'bad key': `${app.key}x`,
      'not Pro': await app.user('bob', 'free'),
      'limit exhausted': exhausted,
    };
    for (let count = 0; count < 30; count += 1) await app.get('/v1/usage', bearer(exhausted));
  });
  beforeEach(() => app.models.reset());
  afterAll(() => app.close());

  const send = (caller: Caller, request: RawRequest): Promise<RawReply> => {
    const key = keys[caller];
    const headers = { 'content-type': 'application/json', ...(key && bearer(key)), ...request.headers };
    return sendRaw(app.baseUrl, { ...request, headers });
  };

  it.each(ORDER)('$rule', async ({ caller, request, status, expected }) => {
    const reply = await send(caller, request);
    expect({ status: reply.status, body: JSON.parse(reply.text) }).toEqual({ status, body: expected });
    expect(app.models.calls).toEqual([]);
  });

  it.each(METHODS)('$method $path is 405 and names the allowed method', async ({ method, path, allow }) => {
    const { status, headers, text } = await send('good', { method, path });
    expect({ status, allow: headers['allow'], body: JSON.parse(text) }).toEqual({ status: 405, allow, body: ANY_404 });
  });

  it.each(SAYS_WHERE)('$method $path says what to use', async ({ method, path, hint }) => {
    const { status, text } = await send('no key', { method, path });
    expect({ status, body: JSON.parse(text) }).toEqual({
      status: 404,
      body: errorBody(`Unknown route: ${method} ${path}: ${hint}`),
    });
  });

  it.each(UNKNOWN_PATHS)('%s is 404 in the error shape', async (path) => {
    const { status, text } = await send('good', { method: 'GET', path });
    expect({ status, body: JSON.parse(text) }).toEqual({ status: 404, body: ANY_404 });
  });
});
