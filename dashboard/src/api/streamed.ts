import type { paths } from './schema';

type StreamedBy<Operation> = Operation extends { responses: { 200: { content: { 'text/event-stream': unknown } } } }
  ? true
  : false;
/** Those of the dashboard's paths at which something is answered bit by bit. */
type StreamedPath = {
  [Path in keyof paths & `/dashboard/${string}`]: true extends
    | StreamedBy<paths[Path]['get']>
    | StreamedBy<paths[Path]['post']>
    ? Path
    : never;
}[keyof paths & `/dashboard/${string}`];

/** The paths that are streamed: by its type it has all of them, and no others. */
const STREAMED: Readonly<Record<StreamedPath, 'GET' | 'POST'>> = {
  '/dashboard/runs': 'POST',
  '/dashboard/runs/{id}/events': 'GET',
  '/dashboard/evaluations': 'POST',
};
const PATTERNS = Object.entries(STREAMED).map(([path, method]) => ({
  method,
  path: new RegExp(`^${path.replace('{id}', '[^/]+')}$`),
}));

/** True if a request is answered bit by bit, over minutes. */
export function isStreamed(request: Pick<Request, 'method' | 'url'>): boolean {
  const { pathname } = new URL(request.url);
  return PATTERNS.some(({ method, path }) => method === request.method && path.test(pathname));
}
