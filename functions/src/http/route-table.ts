import { type Refusal, refuse } from '../errors';
import { createPathTable } from './path-table';
import type { AccountRoute, OpenRoute, RequestHeaders, Route } from './route';
import type { StaticReply } from './static-reply';

/** Route of a request: a route for callers with a key, one for users who are signed in, or one for anybody. */
export type Found =
  | { readonly route: Route; readonly resourceId?: string }
  | { readonly accountRoute: AccountRoute; readonly resourceId?: string }
  | { readonly openRoute: OpenRoute };

/** Finds what answers a method and a path; a refusal (404, 405) says what to use instead where that is known. */
export type FindRoute = (method: string, pathname: string) => Found | Refusal;

/** Prefix of all routes of the dashboard. */
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
