import { bearer, CHAT, CHAT_PATH, RUN_ENDPOINTS, startApp } from '../support/app';
import { during } from '../support/during';
import { type RawRequest, sendRaw } from '../support/raw-http';

const ORIGIN = 'https://chat.example.test';
const get = (path: string): RawRequest => ({ method: 'GET', path });
const post = (path: string, fields: object): RawRequest => ({ method: 'POST', path, body: JSON.stringify(fields) });

/** One request for each status the endpoints know. */
const REPLIES: readonly { status: number; request: RawRequest; key?: string }[] = [
  ...RUN_ENDPOINTS.flatMap(({ path, body }) => [
    { status: 200, request: post(path, body) },
    { status: 200, request: post(path, { ...body, stream: true }) },
    { status: 400, request: post(path, { ...body, temperature: 3 }) },
  ]),
  { status: 200, request: get('/v1/usage') },
  { status: 200, request: get('/v1/models') },
  { status: 401, request: post(CHAT_PATH, CHAT), key: 'sk-ens_wrong' },
  { status: 404, request: get('/v1/nothing') },
  { status: 405, request: { method: 'DELETE', path: '/v1/usage' } },
];

describe('headers of every reply', () => {
  const app = during('all', startApp);

  const ids = new Set<unknown>();
  it.each(REPLIES)('$request.method $request.path, $status', async ({ status, request, key = app.key }) => {
    const reply = await sendRaw(app.baseUrl, { ...request, headers: { origin: ORIGIN, ...bearer(key) } });
    expect(reply.status).toBe(status);
    const { 'x-request-id': id, 'access-control-expose-headers': exposed } = reply.headers;
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(ids.size).toBeLessThan(ids.add(id).size);
    expect(reply.headers['access-control-allow-origin']).toBe('*');
    expect(exposed).toContain('x-request-id');
    expect(exposed).toContain('retry-after');
    if (!reply.headers['content-type']?.startsWith('application/json')) return;
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  });

  it.each([CHAT_PATH, '/v1/usage'])('a preflight of %s is answered without a key', async (path) => {
    const asked = 'authorization,content-type,x-stainless-lang';
    const headers = { 'access-control-request-method': 'POST', 'access-control-request-headers': asked };
    const reply = await sendRaw(app.baseUrl, { method: 'OPTIONS', path, headers: { origin: ORIGIN, ...headers } });
    expect(reply.status).toBe(204);
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': asked,
    });
    expect(reply.headers).not.toHaveProperty('access-control-allow-credentials');
  });
});

it.each([
  { rule: 'an origin on it is allowed', origin: ORIGIN, allowed: ORIGIN },
  { rule: 'another origin is not', origin: 'https://other.example.test', allowed: undefined },
  { rule: 'a longer one is another', origin: `${ORIGIN}.evil.test`, allowed: undefined },
])('where CORS_ORIGINS is a list, $rule', async ({ origin, allowed }) => {
  await using app = await startApp({ env: { CORS_ORIGINS: `https://a.example.test, ${ORIGIN}` } });
  const reply = await sendRaw(app.baseUrl, { ...get('/v1/models'), headers: { origin, ...bearer(app.key) } });
  expect(reply.headers['access-control-allow-origin']).toBe(allowed);
  expect(reply.headers['vary']).toBe('origin');
});
