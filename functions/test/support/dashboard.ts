import type { AccountRoute } from '../../src/http/route';
import { type App, DASHBOARD_SECRET } from './app';
import { type RawReply, sendRaw } from './raw-http';

/** The user that the dashboard of a machine of one's own is for. */
export const LOCAL_USER = 'demo';

/** The cookie of a browser that has opened the link of a server. */
export function cookieOf({ baseUrl }: Pick<App, 'baseUrl'>) {
  return { name: `ensemble-dashboard-${new URL(baseUrl).port}`, value: DASHBOARD_SECRET };
}

/** The headers that every request of the page has. */
export function pageHeaders(app: Pick<App, 'baseUrl'>) {
  const { name, value } = cookieOf(app);
  return { 'x-dashboard': '1', cookie: `${name}=${value}` };
}

/** A request to the dashboard as its page makes it. */
export interface PageRequest {
  readonly method?: string;
  /** Behind `/dashboard/`. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A reply; `body` is the JSON of it, of a stream a list of events. */
export interface PageReply<Body> extends Pick<RawReply, 'status' | 'headers' | 'text'> {
  readonly body: Body;
}

/** Asks as the dashboard's own page would. */
export async function ask<Body = Record<string, unknown>>(
  app: Pick<App, 'baseUrl'>,
  { method = 'GET', path, body, headers }: PageRequest,
): Promise<PageReply<Body>> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const reply = await sendRaw(app.baseUrl, {
    method,
    path: `/dashboard/${path}`,
    headers: {
      host: new URL(app.baseUrl).host,
      ...pageHeaders(app),
      'sec-fetch-site': 'same-origin',
      ...(text !== undefined && {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(text)),
      }),
      ...headers,
    },
    ...(text !== undefined && { body: text }),
  });
  return { ...reply, body: reply.text === '' ? undefined : bodyIn(reply) };
}

/** The JSON of a reply; of a stream that of its events, in a list. */
function bodyIn({ headers, text }: RawReply) {
  if (!headers['content-type']?.startsWith('text/event-stream')) return JSON.parse(text);
  return eventsIn(text);
}

/** Paths of the dashboard that anybody may read. */
const OPEN_PATHS: readonly string[] = ['/dashboard/config.json', '/dashboard/shared/{id}'];

/** All routes of the dashboard for users who are signed in, with an id in them that is nobody's. */
export function pageRequests({ container }: App, id = 'key_none'): (PageRequest & { readonly recent: boolean })[] {
  const routes = container.routes
    .filter((row): row is AccountRoute => row.path.startsWith('/dashboard/'))
    .filter(({ path }) => !OPEN_PATHS.includes(path));
  return routes.map(({ method, path, recent = false }) => ({
    method,
    path: path.slice('/dashboard/'.length).replace('{id}', id),
    ...(method !== 'GET' && method !== 'DELETE' && { body: {} }),
    recent,
  }));
}

/** The events of a stream, or of what has come of it. */
export function eventsIn<Event>(text: string): Event[] {
  return [...text.matchAll(/^data: (.+)$/gm)].map(([, event = '']) => JSON.parse(event));
}
