import { home } from './open';

const BROWSER = { accept: 'text/html,application/xhtml+xml' };
const PAGE = { bytes: Buffer.from('<!doctype html>'), headers: {} };

describe('GET /', () => {
  const answer = (dashboard: Parameters<typeof home>[0], headers = {}) =>
    home(dashboard).handle(new URLSearchParams(), headers, '/');

  it('is the page for a browser where this server has it, and a line of JSON for a program', async () => {
    const site = { page: () => PAGE, unknownPage: () => undefined, routes: [] };
    expect(await answer({ site }, BROWSER)).toBe(PAGE);
    expect(await answer({ site }, { accept: '*/*' })).toMatchObject({ body: { base_url: '/v1', dashboard: '/play' } });
  });

  it('says to browsers and programs alike where the pages are, on a server that has none', async () => {
    const url = 'https://acme.web.app';
    expect(await answer({ url }, BROWSER)).toMatchObject({ body: { base_url: '/v1', dashboard: url } });
    expect(await answer({ url })).toMatchObject({ body: { base_url: '/v1', dashboard: url } });
    expect(await answer({})).not.toHaveProperty('body.dashboard');
  });
});
