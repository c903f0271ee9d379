import { isRefusal, type Refusal, refuse } from '../errors';
import type { RequestHeaders } from './route';
import { ACCOUNT_PATH, type FindRoute, type Found } from './route-table';

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
