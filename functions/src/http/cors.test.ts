import { sendRaw } from '../../test/support/raw-http';
import { serve } from '../../test/support/serve';
import { answerCors } from './cors';

const APP = 'https://acme.web.app';
const RUNS = '/dashboard/runs';

/** Asks a server that anybody's pages may use, and whose dashboard is on `APP`. */
async function ask(method: string, path: string, headers: Record<string, string>) {
  const served = await serve((req, res) => {
    if (!answerCors(res, req.url ?? '', { corsOrigins: ['*'], dashboardOrigins: [APP] })) res.end('its own reply');
  });
  return sendRaw(served.baseUrl, { method, path, headers });
}

it('pages of everywhere may read what clients need of the headers', async () => {
  const { headers } = await ask('GET', '/', { origin: 'https://chat.example.test' });
  expect([headers['access-control-allow-origin'], headers['vary']]).toEqual(['*', undefined]);
  expect(headers['access-control-expose-headers']?.split(', ')).toEqual([
    ...['x-request-id', 'request-id', 'retry-after', 'www-authenticate', 'link'],
    ...['x-should-retry', 'idempotent-replayed'],
    ...['x-ratelimit-limit-requests', 'x-ratelimit-remaining-requests', 'x-ratelimit-reset-requests'],
  ]);
});

describe('the dashboard’s routes, whatever the API allows', () => {
  it.each([
    ['may be asked from the app', APP, APP],
    ['not from another origin', 'https://evil.example', undefined],
    ['not from a preview of the site', 'https://acme--preview-1.web.app', undefined],
    ['not from the app without TLS', 'http://acme.web.app', undefined],
    ['not from a page without an origin', 'null', undefined],
    ['not from nowhere', undefined, undefined],
  ])('%s', async (_, origin, allowed) => {
    const { headers } = await ask('POST', RUNS, origin === undefined ? {} : { origin });
    expect([headers['access-control-allow-origin'], headers['vary']]).toEqual([allowed, 'origin']);
    expect(headers['access-control-expose-headers'] === undefined).toBe(allowed === undefined);
  });

  it.each([
    ['the app', APP, APP],
    ['others, who are told no origin', 'https://evil.example', undefined],
  ])('tell a preflight of %s which headers they take, for two hours, and no others', async (_, origin, allowed) => {
    const asked = { origin, 'access-control-request-headers': 'authorization,cookie,x-dashboard' };
    const { status, headers } = await ask('OPTIONS', `${RUNS}/1/events`, asked);
    expect([status, headers['access-control-allow-origin']]).toEqual([204, allowed]);
    expect(headers).toMatchObject({
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': 'authorization, content-type, last-event-id, x-firebase-appcheck',
      'access-control-max-age': '7200',
      vary: 'origin',
    });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });
});
