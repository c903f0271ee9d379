import { type Api, bodyOrThrow } from '../../api/client';
import { runRequests } from '../../run/run-requests';

/** Under what the page keeps the list. */
export const RUNS_QUERY = ['runs'] as const;

/** A query for runs. */
interface RunQuery {
  readonly q: string;
  /** The `next` of the part before. */
  readonly before?: string;
  readonly signal: AbortSignal;
}

/** The requests of the list of runs. */
export function runListRequests(api: Api) {
  const one = (id: string) => ({ params: { path: { id } } });
  return {
    list: ({ q, before, signal }: RunQuery) => {
      const query = { ...(q !== '' && { q }), ...(before !== undefined && { before }) };
      return bodyOrThrow(api.GET('/dashboard/runs', { params: { query }, signal }));
    },
    read: (id: string) => runRequests(api).read(id, new AbortController().signal, true),
    remove: (id: string) => bodyOrThrow(api.DELETE('/dashboard/runs/{id}', one(id))),
    removeAll: () => bodyOrThrow(api.DELETE('/dashboard/runs')),
  };
}
