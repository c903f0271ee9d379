import { isRefusal, type Refusal, refuse } from '../errors';
import { decoded } from '../lib/foreign-text';
import type { AccountRoute, OpenRoute, RequestHeaders, Route } from './route';
import type { StaticReply } from './static-reply';

/** Route of a request: a route for callers with a key, one for users who are signed in, or one for anybody. */
type Target = { readonly route: Route } | { readonly accountRoute: AccountRoute } | { readonly openRoute: OpenRoute };

/** The route, and what stands for `{id}` in its path, decoded. */
export type Found = Target & { readonly resourceId?: string };

/** Finds what answers a method and a path; a refusal (404, 405) says what to use instead where that is known. */
export type FindRoute = (method: string, pathname: string, headers: RequestHeaders) => Found | Refusal;

export const ACCOUNT_PATH = '/dashboard/';
const PATH_CHARACTERS_MAX = 200;
const READING: readonly string[] = ['GET', 'HEAD'];
const ID = '{id}';

const ELSEWHERE: Readonly<Record<string, string>> = {
  '/v1': 'the routes are below it, such as GET /v1/models',
  '/v1/completions': 'use POST /v1/chat/completions, with messages instead of a prompt',
  '/v1/embeddings': 'this service makes no embeddings, ask the provider of the embedding model for them',
  '/v1/moderations': 'this service moderates nothing, ask a provider for it',
  '/v1/images/generations': 'this service makes texts only',
  '/v1/audio/transcriptions': 'this service makes texts only',
  '/v1/audio/speech': 'this service makes texts only',
};

/** Beginnings of the API's paths by the word in a wrong one, and the end of the base URL that clients of each are given. */
const BASES = [
  { word: '/openai', begins: '/openai/v1', baseEnds: '/openai/v1' },
  { word: '/anthropic', begins: '/anthropic/v1', baseEnds: '/anthropic' },
  { word: '', begins: '/v1', baseEnds: '/v1' },
];
const BEGINNING = /^(?:\/(?:openai|anthropic|v1)(?![^/]))*/;

export interface Hosting {
  readonly hosts: readonly string[];
  readonly baseUrl: string;
}

export interface Routes {
  readonly routes: readonly Route[];
  readonly openRoutes?: readonly OpenRoute[];
  readonly accountRoutes?: readonly AccountRoute[];
  /** Page shown where there is none; undefined for all others. */
  readonly unknownPage?: ((headers: RequestHeaders) => StaticReply | undefined) | undefined;
  /** Absent: nothing stands before this server that the API must not be asked through. */
  readonly hosting?: Hosting | undefined;
}

/** Below these are no pages: whoever asks there is told what to ask for instead. */
const API_PATH = /^\/(?:v1|openai|anthropic|mcp|dashboard)(?:\/|$)/;

export function createRouteTable({ unknownPage, hosting, ...table }: Routes): FindRoute {
  const findPath = createPathTable(table);
  const isRefusedHost = refusedHosts(hosting);

  return (method, pathname, headers) => {
    const found = find(method, pathname, headers);
    const isForPrograms = isRefusal(found) ? !pathname.startsWith(ACCOUNT_PATH) : 'route' in found;
    return isForPrograms && isRefusedHost(headers) ? refuseHosting(hosting?.baseUrl) : found;
  };

  function find(method: string, pathname: string, headers: RequestHeaders): Found | Refusal {
    const path = pathname.length > 2 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname;
    const found = findPath(path);
    if (found) {
      const { targets, resourceId } = found;
      const target = targets.get(method);
      if (!target) return wrongMethod([...targets.keys()]);
      return resourceId === undefined ? target : { ...target, resourceId };
    }
    const refusal = unknown(method, pathname, hintFor(method, path));
    if (!unknownPage || !READING.includes(method) || API_PATH.test(path)) return refusal;
    return { openRoute: { path, handle: async () => unknownPage(headers) ?? refusal } };
  }

  function hintFor(method: string, asked: string): string | undefined {
    const path = asked.replace(/\/{2,}/g, '/');
    if (path !== asked && API_PATH.test(path) && findPath(path))
      return `the path has two slashes in a row, use ${cut(path)}`;
    const [begins = ''] = BEGINNING.exec(path) ?? [];
    const rest = path.slice(begins.length);
    const meant = BASES.filter(({ word }) => begins.includes(word)).slice(0, 1);
    const right = [...meant, ...BASES].find((base) => findPath(base.begins + rest));
    if (!right) return elsewhere(`/v1${rest}`);
    const use = cut(right.begins + rest);
    const isTwice = begins === right.begins.repeat(2);
    return isTwice
      ? `the path has ${right.begins} twice, use ${use}`
      : `the base URL ends in ${right.baseEnds}, as in ${method} ${use}`;
  }
}

function elsewhere(path: string): string | undefined {
  return Object.hasOwn(ELSEWHERE, path) ? ELSEWHERE[path] : undefined;
}

function cut(path: string): string {
  return path.slice(0, PATH_CHARACTERS_MAX);
}

function unknown(method: string, pathname: string, hint: string | undefined): Refusal {
  const text = `Unknown route: ${method} ${cut(pathname)}`;
  return refuse('not_found', hint ? `${text}: ${hint}` : text);
}

function wrongMethod(methods: readonly string[]): Refusal {
  const allow = methods.join(', ');
  return refuse('method_not_allowed', `Method not allowed: use ${allow}`, { allow });
}

/** The targets of a path by method, and the id in it. */
interface PathFound {
  readonly targets: ReadonlyMap<string, Target>;
  readonly resourceId?: string;
}

/** Builds the look-up by path. One that names a thing outright goes before one with `{id}`. */
function createPathTable({ routes, openRoutes = [], accountRoutes = [] }: Routes) {
  const rows: readonly (readonly [path: string, method: string, target: Target])[] = [
    ...routes.map((route) => [route.path, route.method, { route }] as const),
    ...accountRoutes.map((accountRoute) => [accountRoute.path, accountRoute.method, { accountRoute }] as const),
    ...openRoutes.flatMap((openRoute) => READING.map((method) => [openRoute.path, method, { openRoute }] as const)),
  ];
  const byPath = new Map<string, Map<string, Target>>();
  for (const [path, method, target] of rows) {
    const targets = byPath.get(path) ?? new Map<string, Target>();
    byPath.set(path, targets.set(method, target));
  }
  // What is named behind an id goes before an id that may hold anything.
  const patterns = [...byPath]
    .filter(([path]) => path.includes(ID))
    .map(([path, targets]) => ({ parts: path.split(ID), targets, isPage: !API_PATH.test(path) }))
    .sort((a, b) => (b.parts[1] ?? '').length - (a.parts[1] ?? '').length);

  return (path: string): PathFound | undefined => {
    const targets = path.includes(ID) ? undefined : byPath.get(path);
    if (targets) return { targets };
    for (const { parts, targets, isPage } of patterns) {
      const resourceId = idIn(path, parts);
      // Nothing is below a page.
      if (resourceId !== undefined && !(isPage && resourceId.includes('/'))) return { targets, resourceId };
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

/** Tells requests that have come through Hosting: streams would come as a whole, or be cut. */
function refusedHosts({ hosts, baseUrl }: Hosting = { hosts: [], baseUrl: 'http://localhost' }) {
  const refused = new Set(hosts.filter((host) => host !== new URL(baseUrl).host));
  return (headers: RequestHeaders): boolean => refused.has(headers['x-forwarded-host']?.toString().toLowerCase() ?? '');
}

function refuseHosting(baseUrl = ''): Refusal {
  const text = 'The API is not at this address, where replies cannot be streamed and end after 60 seconds';
  return refuse('not_found', `${text}: use the base URL ${baseUrl}`);
}
