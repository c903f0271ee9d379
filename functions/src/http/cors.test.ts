import { sendRaw } from '../../test/support/raw-http';
import { serve } from '../../test/support/serve';
import { answerCors } from './cors';

const ORIGIN = 'https://chat.example.test';

const APP = 'https://acme.web.app';

/** Asks a server, whose dashboard is on `APP`, and which answers 200 where it was no preflight. */
async function ask(origins: readonly string[], headers: Record<string, string>, [method, path] = ['GET', '/']) {
  const served = await serve((req, res) => {
    if (!answerCors(res, req.url ?? '', { corsOrigins: origins, dashboardOrigins: [APP] })) res.end('its own reply');
  });
  return sendRaw(served.baseUrl, { method, path, headers });
}

const EXPOSED = [
  'x-request-id',
  'retry-after',
  'www-authenticate',
  'link',
  'x-should-retry',
  'idempotent-replayed',
  'x-ratelimit-limit-requests',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-reset-requests',
];

describe('cross-origin requests', () => {
  it('are allowed from everywhere by *, and may read what clients need of the headers', async () => {
    const { status, headers, text } = await ask(['*'], { origin: ORIGIN });
    expect([status, text]).toEqual([200, 'its own reply']);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['access-control-expose-headers']?.split(', ')).toEqual(EXPOSED);
    expect(headers['vary']).toBeUndefined();
  });

  it.each([
    ['on the list are allowed by name', ORIGIN, ORIGIN],
    ['not on it are not', 'https://other.example.test', undefined],
    ['longer than one on it are not', `${ORIGIN}.evil.test`, undefined],
  ])('of origins %s, and the reply depends on the origin', async (_, origin, allowed) => {
    const { status, headers } = await ask(['https://a.example.test', ORIGIN], { origin });
    expect(status).toBe(200);
    expect([headers['access-control-allow-origin'], headers['vary']]).toEqual([allowed, 'origin']);
    expect(headers['access-control-expose-headers'] === undefined).toBe(allowed === undefined);
  });
});

describe('a preflight', () => {
  it('is answered with what is allowed: the headers that are asked for, for two hours', async () => {
    const { status, headers, text } = await ask(
      ['*'],
      { origin: ORIGIN, 'access-control-request-headers': 'authorization,x-stainless-lang' },
      ['OPTIONS', '/'],
    );
    expect([status, text]).toEqual([204, '']);
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'authorization,x-stainless-lang',
      'access-control-max-age': '7200',
      'content-length': '0',
    });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });
});

describe('the dashboard’s routes, whatever the API allows', () => {
  const RUNS = '/dashboard/runs';

  it.each([
    ['of the app may be asked from it, and their headers be read', APP, APP, EXPOSED],
    ['not from another origin', 'https://evil.example', undefined, undefined],
    ['not from a preview of the site', 'https://acme--preview-1.web.app', undefined, undefined],
    ['not from the app without TLS', 'http://acme.web.app', undefined, undefined],
    ['not from a page without an origin', 'null', undefined, undefined],
    ['not from nowhere', undefined, undefined, undefined],
  ])('%s', async (_, origin, allowed, exposed) => {
    const { headers } = await ask(['*'], origin === undefined ? {} : { origin }, ['POST', RUNS]);
    expect(headers['access-control-allow-origin']).toBe(allowed);
    expect(headers['access-control-expose-headers']?.split(', ')).toEqual(exposed);
    expect(headers['vary']).toBe('origin');
  });

  it.each([
    ['the app', APP, APP],
    ['others, who are told no origin', 'https://evil.example', undefined],
  ])('tell a preflight of %s which headers they take, for two hours, and no others', async (_, origin, allowed) => {
    const asked = { origin, 'access-control-request-headers': 'authorization,cookie,x-dashboard' };
    const { status, headers } = await ask(['*'], asked, ['OPTIONS', `${RUNS}/1/events`]);
    expect(status).toBe(204);
    expect(headers['access-control-allow-origin']).toBe(allowed);
    expect(headers).toMatchObject({
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': 'authorization, content-type, last-event-id, x-firebase-appcheck',
      'access-control-max-age': '7200',
      vary: 'origin',
    });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });
});
