import { error, startScene } from '../../test/support/app-scene';
import type { AccountRoute } from './route';
import { createRouteTable } from './route-table';

const handle = async () => ({ body: {} });
const find = createRouteTable({
  routes: [],
  accountRoutes: [
    { method: 'GET', path: '/dashboard/keys', handle },
    { method: 'PATCH', path: '/dashboard/keys/{id}', handle },
    { method: 'DELETE', path: '/dashboard/keys/{id}', handle },
    { method: 'POST', path: '/dashboard/keys/{id}/rotate', handle },
    { method: 'DELETE', path: '/dashboard/models/{id}', handle },
  ],
});

/** Result for each method: its name where there is a route, and the id in its path. */
function found(path: string): string | undefined {
  const methods: AccountRoute['method'][] = ['GET', 'POST', 'PATCH', 'DELETE'];
  const rows = methods.map((method) => find(method, path)).filter((row) => 'accountRoute' in row);
  if (rows.length === 0) return undefined;
  return [...rows.map(({ accountRoute }) => accountRoute.method), rows[0]?.resourceId ?? ''].join(' ').trim();
}

describe('paths with an id in them', () => {
  it.each([
    ['/dashboard/keys', 'GET'],
    ['/dashboard/keys/key_1', 'PATCH DELETE key_1'],
    ['/dashboard/keys/key_1/rotate', 'POST key_1'],
    ['/dashboard/keys/a%20b', 'PATCH DELETE a b'],
    ['/dashboard/models/owner/model', 'DELETE owner/model'],
    ['/dashboard/models/owner%2Fmodel', 'DELETE owner/model'],
  ])('%s leads to %s', (path, rows) => expect(found(path)).toBe(rows));

  it.each([
    '/dashboard',
    '/dashboard/',
    '/dashboard/keys//rotate',
    '/dashboard/keys/%2Frotate',
    '/dashboard/keys/%E0%A4%A',
    '/dashboard/other',
    '/v1/keys',
  ])('%s leads nowhere', (path) => expect(found(path)).toBeUndefined());

  it('takes a pattern for no path', () => expect(found('/dashboard/keys/{id}')).toBe('PATCH DELETE {id}'));
});

const BASE_URL = 'https://us-central1-acme.cloudfunctions.net/api/v1';
const SITE = 'acme.web.app';
const HERE = `The API is not at this address, where replies cannot be streamed and end after 60 seconds: use the base URL ${BASE_URL}`;

describe('a program that asks for the API through Firebase Hosting', () => {
  const ask = async (path: string, headers: Record<string, string>, baseUrl = BASE_URL) => {
    const scene = await startScene({ hosting: { hosts: [SITE], baseUrl } });
    const { status, body } = await scene.send({ method: 'GET', path, headers });
    return { status, body, identified: scene.identified.length };
  };

  it.each([
    ['at a path of the API', '/v1/things', 'acme.web.app'],
    ['at one that is none', '/v1/models/none', 'ACME.web.app'],
    ['without /v1', '/things', 'acme.web.app'],
  ])('is told the base URL, and its key is not looked at: %s', async (_, path, host) => {
    const asked = await ask(path, { 'x-forwarded-host': host });
    expect(asked).toEqual({ status: 404, body: error(HERE), identified: 0 });
  });

  it.each([
    ['of the function itself', {}],
    ['of a proxy under another name', { 'x-forwarded-host': 'api.acme.example' }],
    ['of a longer name', { 'x-forwarded-host': 'my-acme.web.app' }],
  ])('is answered where it has asked by the address %s', async (_, headers) => {
    expect((await ask('/v1/things', headers)).status).toBe(200);
  });

  it('is answered where the operator says that the API is there', async () => {
    expect((await ask('/v1/things', { 'x-forwarded-host': SITE }, `https://${SITE}/v1`)).status).toBe(200);
  });

  it('does not hide what an address of the dashboard is', async () => {
    const { status, body } = await ask('/dashboard/none', { 'x-forwarded-host': SITE });
    expect([status, body]).toEqual([404, error('Unknown route: GET /dashboard/none')]);
  });
});
