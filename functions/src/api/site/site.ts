/* Pages of this server: the dashboard, and the reference for people, which shows `GET /v1/openapi.json`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { refuse } from '../../errors';
import { withToken } from '../../http/local-sign-in';
import type { OpenRoute, RequestHeaders } from '../../http/route';
import { type StaticReply, staticReply } from '../../http/static-reply';
import { lazy } from '../../lib/lazy';

/** Rights of the dashboard's pages: nothing but load their own files and ask their own server. @internal */
export const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "style-src-attr 'none'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), clipboard-write=(self)',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
} as const;

/** The addresses that the page itself tells apart. */
const PAGE_PATHS = ['/play', '/play/{id}', '/shared/{id}', '/keys', '/usage', '/models', '/plan', '/sign-in'] as const;
/** Those that the API has below `/v1`. */
const API_PATHS: ReadonlySet<string> = new Set(['/models', '/usage']);

/** The reference, by path. */
const DOCS = {
  '/docs': 'index.html',
  '/docs/reference.js': 'reference.js',
  '/docs/swagger-ui-bundle.js': 'swagger-ui-bundle.js',
  '/docs/swagger-ui.css': 'swagger-ui.css',
};
/** Nothing of another origin, no script in the page itself, and no page around it. The renderer styles single elements. */
const DOCS_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

const HTML = '.html';
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  [HTML]: 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
/** Their names change with what is in them. */
const ASSETS = 'assets';
const FOR_EVER = { 'cache-control': 'public, max-age=31536000, immutable' };

export interface Site {
  readonly page: ReturnType<typeof withToken>;
  /** Page for a browser at an unknown address; undefined for programs. */
  readonly unknownPage: (headers: RequestHeaders) => StaticReply | undefined;
  readonly routes: readonly OpenRoute[];
}

/** The dashboard in a directory; undefined where there is no build. */
export function openSite(directory: string, secret: string): Site | undefined {
  const files = filesIn(directory);
  if (!files.includes('index.html')) return undefined;
  const document = (name: string) => fileAt(join(directory, name), { ...PAGE_HEADERS, 'cache-control': 'no-cache' });
  const [page, unknown] = [withToken(secret, document('index.html')), document('404.html')];
  const unknownPage = (headers: RequestHeaders) =>
    wantsPage(headers) ? ({ ...unknown(), status: 404 } as const) : undefined;
  const parts = files.filter((name) => extname(name) !== HTML && extname(name) in CONTENT_TYPES);
  const ofParts = parts.map((name): OpenRoute => {
    const file = fileAt(join(directory, name), name.startsWith(`${ASSETS}/`) ? FOR_EVER : {});
    return { path: `/${name}`, handle: async () => file() };
  });
  return { page, unknownPage, routes: [...PAGE_PATHS.map((path) => pageRoute(path, page)), ...ofParts] };
}

/** `GET /docs` and its parts, of files beside the program. */
export function docs(directory = join(__dirname, 'page')): OpenRoute[] {
  return Object.entries(DOCS).map(([path, name]) => {
    const file = fileAt(join(directory, name), DOCS_HEADERS);
    const handle = async () => {
      try {
        return file();
      } catch {
        return refuse('not_found', 'This build has no reference page: see GET /v1/openapi.json');
      }
    };
    return { path, handle };
  });
}

/** A program asks for `/models` where its base URL lacks the `/v1`: a page would be no answer that it understands. */
function pageRoute(path: string, page: Site['page']): OpenRoute {
  const hint = `Unknown route: GET ${path}: the base URL ends in /v1, as in GET /v1${path}`;
  const isOfApi = API_PATHS.has(path);
  return {
    path,
    handle: async (...request) => (isOfApi && !wantsPage(request[1]) ? refuse('not_found', hint) : page(...request)),
  };
}

/** A file, read when it is first asked for, with the compressed copy that the build has made of it. */
function fileAt(path: string, headers: StaticReply['headers']): () => StaticReply {
  return lazy(() => {
    const reply = staticReply(readFileSync(path), CONTENT_TYPES[extname(path)] ?? '', headers);
    const copy = `${path}.gz`;
    return existsSync(copy) ? { ...reply, gzipped: readFileSync(copy) } : reply;
  });
}

/** Seen from the directory; of its folders only that of the assets. */
function filesIn(directory: string): string[] {
  const namesIn = (folder: string): string[] => {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  };
  return [...namesIn(directory), ...namesIn(join(directory, ASSETS)).map((name) => `${ASSETS}/${name}`)];
}

/** Browsers name HTML when they open an address; no SDK and no `curl` does. */
export function wantsPage({ accept = '' }: RequestHeaders): boolean {
  return accept.includes('text/html');
}
