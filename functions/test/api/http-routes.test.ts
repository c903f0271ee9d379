import {
  errorBody,
  INPUT_IS_LIST,
  INVALID_DATE,
  INVALID_MESSAGES,
  NO_SUBSCRIPTION,
  RATE_LIMITED,
  UNAUTHORIZED,
} from '../support/api-errors';
import { bearer, CHAT, CHAT_PATH, RESPONSE, RESPONSES_PATH, sharedApp } from '../support/app';
import { type RawReply, type RawRequest, sendRaw } from '../support/raw-http';

/** Fault of a caller. */
type Caller = 'good' | 'bad key' | 'no key' | 'not Pro' | 'limit exhausted';

const GOOD_BODY = JSON.stringify(CHAT);
const ANY_400 = errorBody(expect.stringMatching(/^Invalid/));
const ANY_404 = errorBody(expect.stringMatching(/\S/));

const BAD_DATE: RawRequest = { method: 'GET', path: '/v1/usage?start_date=never' };
const chat = (body: string, headers = {}): RawRequest => ({ method: 'POST', path: CHAT_PATH, body, headers });
const respond = (body: string): RawRequest => ({ method: 'POST', path: RESPONSES_PATH, body });

/** Two things wrong at once: the earlier check in the order route → key → subscription → validation → limit speaks. */
const ORDER: readonly (readonly [caller: Caller, request: RawRequest, status: number, body: unknown])[] = [
  ['bad key', { method: 'GET', path: '/v1/nothing' }, 404, ANY_404],
  ['no key', { method: 'POST', path: '/v2/chat/completions', body: '{' }, 404, ANY_404],
  ['bad key', { method: 'GET', path: CHAT_PATH }, 405, ANY_404],
  ['bad key', chat('{"model":'), 401, UNAUTHORIZED],
  ['bad key', respond('{}'), 401, UNAUTHORIZED],
  ['no key', BAD_DATE, 401, UNAUTHORIZED],
  ['bad key', chat(GOOD_BODY, { 'content-encoding': 'gzip' }), 401, UNAUTHORIZED],
  ['not Pro', chat('{"model":'), 403, NO_SUBSCRIPTION],
  ['not Pro', chat('{}'), 403, NO_SUBSCRIPTION],
  ['not Pro', respond('{}'), 403, NO_SUBSCRIPTION],
  ['not Pro', BAD_DATE, 403, NO_SUBSCRIPTION],
  ['limit exhausted', chat('{"model":'), 400, ANY_400],
  ['limit exhausted', chat('{"model":"demo-ada","messages":[]}'), 400, INVALID_MESSAGES],
  ['limit exhausted', respond('{"model":"demo-ada","input":[]}'), 400, INPUT_IS_LIST],
  ['limit exhausted', BAD_DATE, 400, INVALID_DATE],
  ['limit exhausted', chat(GOOD_BODY), 429, RATE_LIMITED],
  ['limit exhausted', respond(JSON.stringify(RESPONSE)), 429, RATE_LIMITED],
  ['limit exhausted', { method: 'GET', path: '/v1/usage' }, 429, RATE_LIMITED],
];

const METHODS: readonly (readonly [method: string, path: string, allow: string])[] = [
  ['GET', CHAT_PATH, 'POST'],
  ['PUT', RESPONSES_PATH, 'POST'],
  ['DELETE', '/v1/models/demo-ada', 'GET'],
  ['POST', '/health', 'GET, HEAD'],
];

const UNKNOWN_PATHS = [
  ...['/v1', '/v1/', '/chat/completions', '/V1/models', '/v1/models/no-such-model', '/v1/models/%zz'],
  ...['/v1/responses/resp_1768478400000', '//', '//v1/models', '/v1/%zz', '/v1/../v1'],
];

const TWO_SLASHES = 'the path has two slashes in a row, use';
const NO_EMBEDDINGS = 'this service makes no embeddings, ask the provider of the embedding model for them';
const STRICT_PATH = `/openai${CHAT_PATH}`;
const STRICT_BASE = `the base URL ends in /openai/v1, as in POST ${STRICT_PATH}`;
const SAYS_WHERE: readonly (readonly [method: string, path: string, hint: string])[] = [
  ['POST', '/chat/completions', `the base URL ends in /v1, as in POST ${CHAT_PATH}`],
  ['POST', '/responses', `the base URL ends in /v1, as in POST ${RESPONSES_PATH}`],
  ['GET', '/models', 'the base URL ends in /v1, as in GET /v1/models'],
  ['GET', '//models', 'the base URL ends in /v1, as in GET /v1/models'],
  ['POST', `/v1${CHAT_PATH}`, `the path has /v1 twice, use ${CHAT_PATH}`],
  ['POST', '/openai/chat/completions', STRICT_BASE],
  ['POST', '/openai/v1/v1/chat/completions', STRICT_BASE],
  ['POST', '/v1/openai/chat/completions', STRICT_BASE],
  ['POST', '/openai/v1/openai/v1/chat/completions', `the path has /openai/v1 twice, use ${STRICT_PATH}`],
  ['POST', '/anthropic/v1/chat/completions', STRICT_BASE],
  ['GET', '/openai/v1/usage', 'the base URL ends in /v1, as in GET /v1/usage'],
  ['GET', '/openai', 'the routes are below it, such as GET /v1/models'],
  ['POST', '/openai//v1/chat/completions', `${TWO_SLASHES} ${STRICT_PATH}`],
  ['POST', '/openai/v1/embeddings', NO_EMBEDDINGS],
  ['POST', '/v1//chat/completions', `${TWO_SLASHES} ${CHAT_PATH}`],
  ['POST', '//v1/chat/completions', `${TWO_SLASHES} ${CHAT_PATH}`],
  ['POST', '//v1///chat//completions/', `${TWO_SLASHES} ${CHAT_PATH}`],
  ['GET', '/v1//models/demo-ada', `${TWO_SLASHES} /v1/models/demo-ada`],
  ['POST', '/v1/completions', 'use POST /v1/chat/completions, with messages instead of a prompt'],
  ['POST', '/v1/embeddings', NO_EMBEDDINGS],
  ['POST', '/embeddings', NO_EMBEDDINGS],
];

describe('the order of the checks, routes and methods', () => {
  const app = sharedApp();
  let keys: Readonly<Record<Caller, string | undefined>>;
  beforeAll(async () => {
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

  const send = (caller: Caller, request: RawRequest): Promise<RawReply> => {
    const key = keys[caller];
    const headers = { 'content-type': 'application/json', ...(key && bearer(key)), ...request.headers };
    return sendRaw(app.baseUrl, { ...request, headers });
  };

  it.each(ORDER)('%s, %j: %i', async (caller, request, status, expected) => {
    const reply = await send(caller, request);
    expect({ status: reply.status, body: JSON.parse(reply.text) }).toEqual({ status, body: expected });
    expect(app.models.calls).toEqual([]);
  });

  it.each(METHODS)('%s %s is 405 and names %s', async (method, path, allow) => {
    const { status, headers, text } = await send('good', { method, path });
    expect({ status, allow: headers['allow'], body: JSON.parse(text) }).toEqual({ status: 405, allow, body: ANY_404 });
  });

  it.each(SAYS_WHERE)('%s %s says what to use', async (method, path, hint) => {
    const { status, text } = await send('no key', { method, path });
    expect({ status, body: JSON.parse(text) }).toMatchObject({
      status: 404,
      body: { error: { message: `Unknown route: ${method} ${path}: ${hint}` } },
    });
  });

  it.each(UNKNOWN_PATHS)('%s is 404 in the error shape', async (path) => {
    const { status, text } = await send('good', { method: 'GET', path });
    expect({ status, body: JSON.parse(text) }).toEqual({ status: 404, body: ANY_404 });
  });
});
