import { sendRaw } from '../../test/support/raw-http';
import { serve } from '../../test/support/serve';
import { answerCors } from './cors';

const ORIGIN = 'https://chat.example.test';

/** Asks a server that answers 200 where it was no preflight. */
async function ask(origins: readonly string[], headers: Record<string, string>, method = 'GET') {
  const served = await serve((req, res) => {
    if (!answerCors(req, res, { corsOrigins: origins, dashboardOrigins: [] })) res.end('its own reply');
  });
  return sendRaw(served.baseUrl, { method, path: '/', headers });
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

  it('from nowhere get no header where there is a list', async () => {
    const { headers } = await ask([ORIGIN], {});
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });
});

describe('a preflight', () => {
  it('is answered with what is allowed: the headers that are asked for, for two hours', async () => {
    const { status, headers, text } = await ask(
      ['*'],
      { origin: ORIGIN, 'access-control-request-headers': 'authorization,x-stainless-lang' },
      'OPTIONS',
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

  it('that asks for no headers is allowed those of every client', async () => {
    const { headers } = await ask(['*'], { origin: ORIGIN }, 'OPTIONS');
    expect(headers['access-control-allow-headers']).toBe('authorization, content-type');
  });
});
