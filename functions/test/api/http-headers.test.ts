import { type App, bearer, CHAT, CHAT_PATH, RESPONSE, RESPONSES_PATH, startApp } from '../support/app';
import { type RawRequest, sendRaw } from '../support/raw-http';

const ORIGIN = 'https://chat.example.test';

const post = (fields: object = {}): RawRequest => ({
  method: 'POST',
  path: CHAT_PATH,
  body: JSON.stringify({ ...CHAT, ...fields }),
});
const respond = (fields: object = {}): RawRequest => ({
  method: 'POST',
  path: RESPONSES_PATH,
  body: JSON.stringify({ ...RESPONSE, ...fields }),
});

/** One request for each status the endpoints know. */
const REPLIES: readonly { status: number; request: RawRequest; key?: string }[] = [
  { status: 200, request: post() },
  { status: 200, request: post({ stream: true }) },
  { status: 200, request: respond() },
  { status: 200, request: respond({ stream: true }) },
  { status: 200, request: { method: 'GET', path: '/v1/usage' } },
  { status: 200, request: { method: 'GET', path: '/v1/models' } },
  { status: 400, request: post({ temperature: 3 }) },
  { status: 400, request: respond({ input: [] }) },
  { status: 401, request: post(), key: 'sk-ens_wrong' },
  { status: 404, request: { method: 'GET', path: '/v1/nothing' } },
  { status: 405, request: { method: 'DELETE', path: '/v1/usage' } },
];

describe('headers of every reply', () => {
  let app: App;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  const send = (request: RawRequest, key = app.key) =>
    sendRaw(app.baseUrl, { ...request, headers: { origin: ORIGIN, ...bearer(key), ...request.headers } });

  it.each(REPLIES)(
    'x-request-id is there, and pages of any origin may read it ($status, $request.path)',
    async (row) => {
      const { status, headers } = await send(row.request, row.key);
      expect(status).toBe(row.status);
      expect(headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['access-control-expose-headers']).toContain('x-request-id');
      expect(headers['access-control-expose-headers']).toContain('retry-after');
    },
  );

  it('x-request-id differs from request to request', async () => {
    const models = { method: 'GET', path: '/v1/models' };
    const ids = [await send(models), await send(models), await send(models)].map(
      ({ headers }) => headers['x-request-id'],
    );
    expect(new Set(ids).size).toBe(3);
  });

  it('JSON replies are not to be stored or sniffed', async () => {
    const { headers } = await send({ method: 'GET', path: '/v1/usage' });
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  });

  it.each([CHAT_PATH, RESPONSES_PATH, '/v1/usage', '/v1/models'])(
    'a preflight of %s is answered without a key',
    async (path) => {
      const headers = {
        origin: ORIGIN,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,x-stainless-lang',
      };
      const reply = await sendRaw(app.baseUrl, { method: 'OPTIONS', path, headers });
      expect(reply.status).toBe(204);
      expect(reply.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers': 'authorization,content-type,x-stainless-lang',
      });
      expect(reply.headers).not.toHaveProperty('access-control-allow-credentials');
    },
  );
});

describe('headers for pages when CORS_ORIGINS is a list', () => {
  it.each([
    { rule: 'an origin on it is allowed', origin: ORIGIN, allowed: ORIGIN },
    { rule: 'another origin is not', origin: 'https://other.example.test', allowed: undefined },
    { rule: 'a longer one is another', origin: `${ORIGIN}.evil.test`, allowed: undefined },
  ])('$rule', async ({ origin, allowed }) => {
    await using app = await startApp({ env: { CORS_ORIGINS: `https://a.example.test, ${ORIGIN}` } });
    const headers = { origin, ...bearer(app.key) };
    const reply = await sendRaw(app.baseUrl, { method: 'GET', path: '/v1/models', headers });
    expect(reply.headers['access-control-allow-origin']).toBe(allowed);
    expect(reply.headers['vary']).toBe('origin');
  });
});
