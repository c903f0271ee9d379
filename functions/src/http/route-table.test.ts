import { isRefusal } from '../errors';
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
  const rows = methods.map((method) => find(method, path, {})).filter((row) => 'accountRoute' in row);
  if (rows.length === 0) return undefined;
  return [...rows.map(({ accountRoute }) => accountRoute.method), rows[0]?.resourceId ?? ''].join(' ').trim();
}

it.each([
  ['/dashboard/keys', 'GET'],
  ['/dashboard/keys/key_1', 'PATCH DELETE key_1'],
  ['/dashboard/keys/key_1/rotate', 'POST key_1'],
  ['/dashboard/keys/a%20b', 'PATCH DELETE a b'],
  ['/dashboard/models/owner/model', 'DELETE owner/model'],
  ['/dashboard/models/owner%2Fmodel', 'DELETE owner/model'],
  ['/dashboard/keys/{id}', 'PATCH DELETE {id}'],
  ['/dashboard', undefined],
  ['/dashboard/', undefined],
  ['/dashboard/keys//rotate', undefined],
  ['/dashboard/keys/%2Frotate', undefined],
  ['/dashboard/keys/%E0%A4%A', undefined],
  ['/dashboard/other', undefined],
  ['/v1/keys', undefined],
])('the path %s leads to: %s', (path, rows) => expect(found(path)).toBe(rows));

it.each([
  ['/', undefined],
  ['/v1//things/', 'the path has two slashes in a row, use /v1/things/'],
  ['/things/', 'the base URL ends in /v1, as in GET /v1/things/'],
  ['/v1/v1/things/', 'the path has /v1 twice, use /v1/things/'],
])('an unknown path is named with 200 characters at most, also in what to use: %sxxx…', (path, hint) => {
  const long = (text: string): string => text.padEnd(200, 'x');
  const things = { method: 'GET', path: '/v1/things/{id}', endpoint: 'usage', limited: false, handle } as const;
  const refusal = createRouteTable({ routes: [things] })('GET', path + 'x'.repeat(300), {});
  const told = `Unknown route: GET ${long(path)}`;
  expect(refusal).toMatchObject({ text: hint ? `${told}: ${hint.replace(/\/v1\/things.*/, long)}` : told });
});

describe('a program that asks for the API through Firebase Hosting', () => {
  const BASE_URL = 'https://us-central1-acme.cloudfunctions.net/api/v1';
  const SITE = 'acme.web.app';
  const HERE = `The API is not at this address, where replies cannot be streamed and end after 60 seconds: use the base URL ${BASE_URL}`;

  it.each([
    ['a path of the API', '/v1/things', SITE, BASE_URL, HERE],
    ['one that is none', '/v1/none', 'ACME.web.app', BASE_URL, HERE],
    ['one without /v1', '/things', SITE, BASE_URL, HERE],
    ['one of the dashboard that is none', '/dashboard/none', SITE, BASE_URL, 'Unknown route: GET /dashboard/none'],
    ['the function itself', '/v1/things', undefined, BASE_URL, 'found'],
    ['a proxy under another name', '/v1/things', 'api.acme.example', BASE_URL, 'found'],
    ['a longer name', '/v1/things', 'my-acme.web.app', BASE_URL, 'found'],
    ['the site, where the operator says that the API is there', '/v1/things', SITE, `https://${SITE}/v1`, 'found'],
  ])('is told the base URL or answered: %s', (_, path, host, baseUrl, expected) => {
    const things = { method: 'GET', path: '/v1/things', endpoint: 'usage', limited: false, handle } as const;
    const ask = createRouteTable({ routes: [things], hosting: { hosts: [SITE], baseUrl } });
    const result = ask('GET', path, host === undefined ? {} : { 'x-forwarded-host': host });
    expect(isRefusal(result) ? result.text : 'found').toBe(expected);
  });
});
