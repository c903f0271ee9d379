import { isRefusal, type Refusal, refuse } from '../errors';
import { decoded } from '../lib/foreign-text';
import type { StaticReply } from './reply';
import type { AccountRoute, OpenRoute, RequestHeaders, Route } from './route';

/** Route of a request: a route for callers with a key, one for users who are signed in, or one for anybody. */
export type Found =
  | { readonly route: Route; readonly resourceId?: string }
  | { readonly accountRoute: AccountRoute; readonly resourceId?: string }
  | { readonly openRoute: OpenRoute };

/** Finds what answers a method and a path; a refusal (404, 405) says what to use instead where that is known. */
export type FindRoute = (method: string, pathname: string) => Found | Refusal;

export const ACCOUNT_PATH = '/dashboard/';
const PATH_CHARACTERS_MAX = 200;
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Paths of other APIs that clients try here. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  '/v1': 'the routes are below it, such as GET /v1/models',
  '/v1/completions': 'use POST /v1/chat/completions, with messages instead of a prompt',
  '/v1/messages': 'use POST /v1/chat/completions with an OpenAI client; Anthropic models answer there, too',
  '/v1/embeddings': 'this service makes no embeddings, ask the provider of the embedding model for them',
  '/v1/moderations': 'this service moderates nothing, ask a provider for it',
  '/v1/images/generations': 'this service makes texts only',
  '/v1/audio/transcriptions': 'this service makes texts only',
  '/v1/audio/speech': 'this service makes texts only',
};

/** The routes of a server, by who may ask. */
export interface Routes {
  readonly routes: readonly Route[];
  readonly openRoutes?: readonly OpenRoute[];
  readonly accountRoutes?: readonly AccountRoute[];
  /** Page shown where there is none; undefined for all others. */
  readonly unknownPage?: ((headers: RequestHeaders) => StaticReply | undefined) | undefined;
}

/** Below these are no pages: whoever asks there is told what to ask for instead. */
const API_PATH = /^\/(?:v1|dashboard)(?:\/|$)/;

/** Builds the look-up of a table of routes. What stands for `{id}` in a path, decoded, is `resourceId`. */
export function createRouteTable({ routes, openRoutes = [], accountRoutes = [], unknownPage }: Routes): FindRoute {
  const findAccountRoutes = createPathTable(accountRoutes);
  const findKeyRoutes = createPathTable(routes);
  const paths = new Set(routes.map(({ path }) => path));
  const findOpenRoutes = createPathTable(openRoutes.filter(({ path }) => path.includes('{')));
  const openByPath = new Map(openRoutes.map((row) => [row.path, row]));

  return (method, pathname) => {
    const path = pathname.length > 2 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname;
    const openRoute = openByPath.get(path) ?? openBelow(path);
    if (openRoute) return READING.has(method) ? { openRoute } : wrongMethod([...READING]);
    return ofKeys(method, path) ?? ofAccount(method, path) ?? ofNobody(method, pathname, path);
  };

  /** Finds the page above an id; nothing is below that. */
  function openBelow(path: string): OpenRoute | undefined {
    const found = findOpenRoutes(path);
    return found?.resourceId?.includes('/') ? undefined : found?.rows[0];
  }

  function ofNobody(method: string, pathname: string, path: string): Found | Refusal {
    const refusal = unknown(method, pathname, hintFor(method, path));
    if (!unknownPage || !READING.has(method) || API_PATH.test(path)) return refusal;
    return { openRoute: { path, handle: async (_query, headers) => unknownPage(headers) ?? refusal } };
  }

  function ofKeys(method: string, path: string): Found | Refusal | undefined {
    const found = findKeyRoutes(path);
    if (!found) return undefined;
    const route = found.rows.find((row) => row.method === method);
    return route ? { ...found, route } : wrongMethod(found.rows.map((row) => row.method));
  }

  function ofAccount(method: string, path: string): Found | Refusal | undefined {
    const found = path.startsWith(ACCOUNT_PATH) ? findAccountRoutes(path) : undefined;
    if (!found) return undefined;
    const accountRoute = found.rows.find((row) => row.method === method);
    return accountRoute ? { ...found, accountRoute } : wrongMethod(found.rows.map((row) => row.method));
  }

  function hintFor(method: string, asked: string): string | undefined {
    const isKnown = (candidate: string): boolean => paths.has(candidate) || openByPath.has(candidate);
    const path = asked.replace(/\/{2,}/g, '/');
    if (path !== asked && findKeyRoutes(path)) return `the path has two slashes in a row, use ${path}`;
    if (isKnown(`/v1${path}`)) return `the base URL ends in /v1, as in ${method} /v1${path}`;
    if (path.startsWith('/v1/v1/') && isKnown(path.slice(3))) return `the path has /v1 twice, use ${path.slice(3)}`;
    return elsewhere(path) ?? elsewhere(`/v1${path}`);
  }
}

function elsewhere(path: string): string | undefined {
  return Object.hasOwn(ELSEWHERE, path) ? ELSEWHERE[path] : undefined;
}

function unknown(method: string, pathname: string, hint: string | undefined): Refusal {
  const text = `Unknown route: ${method} ${pathname.slice(0, PATH_CHARACTERS_MAX)}`;
  return refuse('not_found', hint ? `${text}: ${hint}` : text);
}

function wrongMethod(methods: readonly string[]): Refusal {
  const allow = methods.join(', ');
  return refuse('method_not_allowed', `Method not allowed: use ${allow}`, { allow });
}

const ID = '{id}';

/** The rows of a path, and what stands in it for `{id}`, decoded. */
interface PathRows<Row> {
  readonly rows: readonly Row[];
  readonly resourceId?: string;
}

/** Builds the look-up of rows by path. One that names a thing outright goes before one with `{id}`. */
function createPathTable<Row extends { readonly path: string }>(
  rows: readonly Row[],
): (path: string) => PathRows<Row> | undefined {
  const byPath = Map.groupBy(rows, ({ path }) => path);
  const named = new Map([...byPath].filter(([path]) => !path.includes(ID)));
  // What is named behind an id goes before an id that may hold anything.
  const patterns = [...byPath]
    .filter(([path]) => path.includes(ID))
    .map(([path, found]) => ({ parts: path.split(ID), rows: found }))
    .sort((a, b) => (b.parts[1] ?? '').length - (a.parts[1] ?? '').length);

  return (path) => {
    const found = named.get(path);
    if (found) return { rows: found };
    for (const { parts, rows: ofPattern } of patterns) {
      const resourceId = idIn(path, parts);
      if (resourceId !== undefined) return { rows: ofPattern, resourceId };
    }
    return undefined;
  };
}

/** Id between these parts of a path; without one behind it, slashes included. */
function idIn(path: string, [before = '', after = '']: readonly string[]): string | undefined {
  const isLike = path.startsWith(before) && path.endsWith(after) && path.length > before.length + after.length;
  const id = isLike ? decoded(path.slice(before.length, path.length - after.length)) : undefined;
  return id === undefined || id.startsWith('/') || (after !== '' && id.includes('/')) ? undefined : id;
}

/** Firebase Hosting before the function. */
export interface Hosting {
  /** The hosts of its sites that have the dashboard's pages. */
  readonly hosts: readonly string[];
  /** Base URL of the API, ending in `/v1`. */
  readonly baseUrl: string;
}

/** Same as `FindRoute`, with the headers that say which way a request has come. */
export type FindDirectRoute = (method: string, pathname: string, headers: RequestHeaders) => Found | Refusal;

/** Refuses requests of programs that have come through Hosting: streams would come as a whole, or be cut. */
export function withoutHosting(findRoute: FindRoute, hosting: Hosting | undefined): FindDirectRoute {
  if (!hosting) return findRoute;
  const { hosts, baseUrl } = hosting;
  const refused = new Set(hosts.filter((host) => host !== new URL(baseUrl).host));
  const text = `The API is not at this address, where replies cannot be streamed and end after 60 seconds: use the base URL ${baseUrl}`;
  return (method, pathname, headers) => {
    const found = findRoute(method, pathname);
    const host = headers['x-forwarded-host']?.toString().toLowerCase() ?? '';
    return refused.has(host) && isForPrograms(found, pathname) ? refuse('not_found', text) : found;
  };
}

/** A path of the API, or one that is none, as of a base URL without `/v1`. */
function isForPrograms(found: Found | Refusal, pathname: string): boolean {
  return isRefusal(found) ? !pathname.startsWith(ACCOUNT_PATH) : 'route' in found;
}
