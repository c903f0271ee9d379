import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPERATIONS } from '../../src/api/operations';
import { placeOf } from '../../src/api/shared/operation';
import { openSite, PAGE_HEADERS } from '../../src/api/site/site';

/** The settings of Firebase Hosting for the pages, beside those of the server of one machine. */

interface Hosting {
  readonly rewrites: readonly { readonly source: string; readonly destination?: string; readonly function?: object }[];
  readonly headers: readonly { readonly source: string; readonly headers: readonly { key: string; value: string }[] }[];
}

const { hosting, emulators } = JSON.parse(readFileSync(join(__dirname, '../../../firebase.json'), 'utf8')) as {
  hosting: Hosting;
  emulators: { auth: { port: number } };
};
const pages = pagesOfServer();

/** The addresses of pages on the server of one machine. */
function pagesOfServer(): string[] {
  const directory = mkdtempSync(join(tmpdir(), 'site-'));
  writeFileSync(join(directory, 'index.html'), '');
  const { routes = [] } = openSite(directory, '') ?? {};
  rmSync(directory, { recursive: true });
  return routes.map(({ path }) => path.slice(1).replace('{id}', '*')).sort();
}

/** Paths below `/v1` that clients of OpenAI and Anthropic also ask for. */
const OF_OTHERS = ['audio', 'completions', 'embeddings', 'images', 'messages', 'moderations'];

/** The first segments of the API's paths below `/v1`, where no page is. */
function firstSegmentsOfApi(): string[] {
  const segments = OPERATIONS.map((one) => placeOf(one).path).flatMap(
    (path) => /^\/v1\/([\w-]+)(?:\/|$)/.exec(path)?.[1] ?? [],
  );
  return [...new Set([...segments, ...OF_OTHERS])].filter((segment) => !pages.includes(segment)).sort();
}

function headersOf(source: string): Record<string, string> {
  const row = hosting.headers.find((one) => one.source === source);
  return Object.fromEntries((row?.headers ?? []).map(({ key, value }) => [key, value]));
}

/** The rules of a policy, and what each allows. */
function rulesOf(policy: string): Record<string, string> {
  return Object.fromEntries(
    policy.split('; ').map((rule) => [rule.split(' ')[0] ?? '', rule.split(' ').slice(1).join(' ')]),
  );
}

const PAGES_SOURCE = `/{,index.html,${pages.join(',')}}`;

describe('Firebase Hosting', () => {
  it('has every page at its address, and nothing of its own there', () => {
    const page = hosting.rewrites.find(({ destination }) => destination === '/index.html');
    expect(page?.source).toBe(`/{${pages.join(',')}}`);
  });

  it('hands what the function answers to it, in the region where it is deployed', () => {
    const rewritten = hosting.rewrites.filter((rewrite) => rewrite.function);
    expect(rewritten.map(({ source }) => source)).toEqual([
      '/dashboard/**',
      '/docs{,/**}',
      '/{v1,openai,anthropic,mcp}{,/**}',
      `/{${firstSegmentsOfApi().join(',')}}{,/**}`,
      '/{health,healthz}',
    ]);
    // Without a region the CLI takes that of the function which it finds deployed, or deploys with it.
    for (const rewrite of rewritten) expect(rewrite.function).toEqual({ functionId: 'api' });
  });

  it('lets pages do what they may on a machine of one’s own, and reach Firebase Auth and its emulator', () => {
    const { 'content-security-policy': ownPolicy, ...own } = PAGE_HEADERS;
    const { 'content-security-policy': policy = '', ...headers } = headersOf(PAGES_SOURCE);
    expect(headers).toEqual({
      ...own,
      // Google's window is closed by the page that has opened it.
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    });
    const emulator = `http://127.0.0.1:${emulators.auth.port}`;
    expect(rulesOf(policy)).toEqual({
      ...rulesOf(ownPolicy),
      'script-src': "'self' https://apis.google.com",
      'connect-src': `'self' https://identitytoolkit.googleapis.com https://securetoken.googleapis.com ${emulator}`,
      'frame-src': `'self' ${emulator}`,
      'trusted-types': 'default',
    });
  });
});
