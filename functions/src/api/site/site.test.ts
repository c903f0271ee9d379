import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { during } from '../../../test/support/during';
import { temporaryDirectory } from '../../../test/support/temporary-directory';
import { isRefusal } from '../../errors';
import { openSite, PAGE_HEADERS, type Site } from './site';

describe('the pages of the dashboard', () => {
  let site: Site | undefined;
  const directory = during('all', temporaryDirectory);
  beforeAll(() => {
    writeFileSync(join(directory.path, 'index.html'), '<!doctype html>');
    writeFileSync(join(directory.path, '404.html'), '<!doctype html>');
    site = openSite(directory.path, 'secret');
  });

  async function asked(path: string, accept?: string) {
    const reply = await site?.routes
      .find((route) => route.path === path)
      ?.handle(new URLSearchParams(), { accept }, path);
    if (reply === undefined) throw new Error(`no route ${path}`);
    return isRefusal(reply) ? `${reply.code}: ${reply.text}` : 'bytes' in reply ? 'the page' : reply;
  }

  it.each(['/play', '/play/{id}', '/shared/{id}', '/keys', '/usage', '/models', '/plan', '/sign-in'])(
    '%s is the page for a browser',
    async (path) => {
      expect(await asked(path, 'text/html,application/xhtml+xml,*/*;q=0.8')).toBe('the page');
    },
  );

  it('says to a browser, and to no program, that nothing is at an address', () => {
    const { status, headers } = site?.unknownPage({ accept: 'text/html' }) ?? {};
    expect({ status, type: headers?.['content-type'], policy: headers?.['content-security-policy'] }).toEqual({
      status: 404,
      type: 'text/html; charset=utf-8',
      policy: PAGE_HEADERS['content-security-policy'],
    });
    expect(site?.unknownPage({ accept: '*/*' })).toBeUndefined();
  });

  it.each([['application/json'], ['*/*'], [undefined]])(
    'a base URL without /v1 is told so: Accept %s',
    async (accept) => {
      for (const path of ['/models', '/usage']) {
        expect(await asked(path, accept)).toBe(
          `not_found: Unknown route: GET ${path}: the base URL ends in /v1, as in GET /v1${path}`,
        );
      }
    },
  );
});
