import { fakeClock } from '../../test/support/fake-clock';
import type { SignInAttempt } from '../access/sign-in';
import { isRefusal } from '../errors';
import { localSignIn, withToken } from './local-sign-in';

const SECRET = 'the-secret-of-this-start-of-it-00';

/** A page of the dashboard itself that reads. */
const OWN: SignInAttempt = {
  method: 'GET',
  headers: {
    host: '127.0.0.1:8080',
    'sec-fetch-site': 'same-origin',
    cookie: [80, 8080].map((port) => `ensemble-dashboard-${port}=${SECRET}`).join('; '),
  },
  httpVersion: '1.1',
  remoteAddress: '127.0.0.1',
  recent: false,
};

const signIn = localSignIn('demo', SECRET, fakeClock());

async function userOf(more: Partial<SignInAttempt>, headers: Record<string, string> = {}): Promise<string | undefined> {
  const outcome = await signIn({ ...OWN, ...more, headers: { ...OWN.headers, ...headers } });
  return isRefusal(outcome) ? undefined : outcome.userId;
}

describe('the user of this machine', () => {
  it.each([
    ['by the address', {}],
    ['by its name', { host: 'localhost:8080' }],
    ['by its IPv6 address', { host: '[::1]:8080' }],
    ['by another of its addresses', { host: '127.1.2.3:80' }],
    ['without a port', { host: 'LOCALHOST' }],
    ['from the bar of addresses', { 'sec-fetch-site': 'none' }],
    ['with its own origin', { origin: 'http://127.0.0.1:8080' }],
  ])('is let in %s, over IPv6 too', async (_, headers) => {
    for (const remoteAddress of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
      expect(await userOf({ remoteAddress }, headers)).toBe('demo');
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'ANY'])(
    'writes (%s) with the header of the page alone',
    async (method) => {
      expect(await userOf({ method })).toBeUndefined();
      expect(await userOf({ method }, { 'x-dashboard': '0' })).toBeUndefined();
      expect(await userOf({ method }, { 'x-dashboard': '1' })).toBe('demo');
    },
  );
});

describe('anybody else', () => {
  it.each([
    ['another site', { origin: 'https://evil.example' }],
    ['another site that sends no origin', { 'sec-fetch-site': 'cross-site' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-site' }],
    ['a page without an origin', { origin: 'null' }],
    ['the same address by https', { origin: 'https://127.0.0.1:8080' }],
    ['a name that was pointed here', { host: 'evil.example:8080', origin: 'http://evil.example:8080' }],
    ['a name that begins alike', { host: '127.0.0.1.evil.example' }],
    ['a name that ends alike', { host: 'evil.localhost' }],
    ['no host', { host: '' }],
    ['two hosts', { host: '127.0.0.1:8080, evil.example' }],
    ['somebody behind a proxy', { 'x-forwarded-for': '203.0.113.9' }],
    ['somebody behind another', { forwarded: 'for=203.0.113.9' }],
    ['somebody behind a third', { via: '1.1 proxy' }],
    ['somebody behind a fourth', { 'x-real-ip': '203.0.113.9' }],
  ])('is refused: %s', async (_, headers) =>
    expect(await userOf({}, { 'x-dashboard': '1', ...headers })).toBeUndefined(),
  );

  it('is refused from another address, and by a proxy that speaks HTTP/1.0 and says nothing of it', async () => {
    expect(await userOf({ remoteAddress: '192.168.1.9' })).toBeUndefined();
    expect(await userOf({ remoteAddress: undefined })).toBeUndefined();
    expect(await userOf({ remoteAddress: '127.0.0.1.evil' })).toBeUndefined();
    expect(await userOf({ httpVersion: '1.0' })).toBeUndefined();
  });
});

describe('whoever has not opened the link', () => {
  const name = 'ensemble-dashboard-8080';
  const old = SECRET.replace('00', '01');

  it.each([
    ['without a cookie', ''],
    ['with one of an earlier start', `${name}=${old}`],
    ['with the beginning of the secret', `${name}=${SECRET.slice(0, -1)}`],
    ['with more than the secret', `${name}=${SECRET}0`],
    ['with characters of several bytes', `${name}=${'é'.repeat(SECRET.length / 2)}`],
    ['with the secret of a server on another port', `ensemble-dashboard-8081=${SECRET}`],
    ['with a cookie of another name', `token=${SECRET}; ${SECRET}; my-${name}=${SECRET}`],
  ])('is not signed in: %s', async (_, cookie) => {
    expect(await signIn({ ...OWN, headers: { ...OWN.headers, cookie } })).toMatchObject({
      code: 'not_signed_in',
      text: expect.stringContaining('npm start'),
    });
  });

  it('does not keep out who has, by a cookie that another server of this machine has set', async () => {
    expect(await userOf({}, { cookie: `${name}=${old}; ${name}=${SECRET}; theme=dark` })).toBe('demo');
  });
});

describe('a page that is asked for with a token', () => {
  const PAGE = { bytes: Buffer.from('the page'), headers: {} };
  const page = withToken(SECRET, () => PAGE);
  const asked = (query: string, path = '/play', host = 'localhost:8080') =>
    page(new URLSearchParams(query), { host }, path);

  it('leads to itself without it, and keeps the secret for the dashboard’s requests alone', () => {
    expect(asked(`token=${SECRET}`)).toMatchObject({
      status: 303,
      headers: {
        location: '/play',
        'set-cookie': `ensemble-dashboard-8080=${SECRET}; Path=/dashboard/; HttpOnly; SameSite=Strict`,
        'cache-control': 'no-store',
      },
    });
    expect(asked(`months=6&token=${SECRET}&by=key`, '/usage').headers['location']).toBe('/usage?months=6&by=key');
    expect(asked(`token=${SECRET}`, '/', '[::1]').headers['set-cookie']).toMatch(/^ensemble-dashboard-80=/);
  });

  it.each(['token=', 'token=another', `token=${SECRET}0`, `token=x&token=${SECRET}`])(
    'keeps nothing of a wrong one, and leads there as well: %s',
    (query) => {
      const { status, headers } = asked(query);
      expect([status, headers]).toEqual([303, { location: '/play', 'cache-control': 'no-store' }]);
    },
  );

  it('is the page where there is none', () => expect(asked('months=6')).toBe(PAGE));
});
