import type { Api } from '../../api/client';
import { bodyOrThrow } from '../../api/client';
import type { KeptRun } from '../../run/run-events';
import type { RunSummary } from '../../run/run-summary';

/** Under what the page keeps the list. */
export const RUNS_QUERY = ['runs'] as const;

/** Some runs, newest first, and where the next ones begin. */
export interface RunPage {
  readonly data: readonly RunSummary[];
  readonly next?: string;
}

// Until the routes are in the OpenAPI document.
type Untyped = (path: string, init?: object) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

/** What the list of runs asks of the server. */
export function runListRequests(client: Api) {
  const api = client as unknown as { GET: Untyped; DELETE: Untyped };
  const one = (id: string) => ({ params: { path: { id } } });
  return {
    list: ({ q, before, signal }: { readonly q: string; readonly before?: string; readonly signal: AbortSignal }) => {
      const query = { ...(q !== '' && { q }), ...(before !== undefined && { before }) };
      return bodyOrThrow(api.GET('/dashboard/runs', { params: { query }, signal })) as Promise<RunPage>;
    },
    read: (id: string) => bodyOrThrow(api.GET('/dashboard/runs/{id}', one(id))) as Promise<KeptRun>,
    remove: (id: string) => bodyOrThrow(api.DELETE('/dashboard/runs/{id}', one(id))),
    removeAll: () => bodyOrThrow(api.DELETE('/dashboard/runs')),
  };
}
