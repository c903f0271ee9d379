import { useState } from 'react';
import { useApi } from '../../../api/api-context';
import { bodyOrThrow } from '../../../api/client';
import { useAction } from '../../../api/use-action';
import type { RunRating } from '../../../run/run-events';
import type { SessionState } from '../../../run/run-session';

/** The user's opinion of the run that is shown. */
export interface Rating {
  readonly given: RunRating;
  /** Puts another one in its place; absent where the server has no such run, as of one from a file. */
  readonly rate?: (next: RunRating) => void;
  /** Why the last one was not kept. */
  readonly error: unknown;
}

const NOT_RATED: RunRating = {};

/** The rating of the run of a session, shown as given at once, and as it was before where it cannot be kept; undefined while there is nothing to be rated. */
export function useRunRating({ runId = '', rating, request, connection }: SessionState): Rating | undefined {
  const api = useApi();
  const [newest, setNewest] = useState<{ readonly of: string; readonly given: RunRating }>();
  const keeping = useAction((body: RunRating) =>
    bodyOrThrow(api.PUT('/dashboard/runs/{id}/rating', { params: { path: { id: runId } }, body })),
  );
  const given = (newest?.of === runId ? newest.given : rating) ?? NOT_RATED;
  if (connection.is !== 'over') return undefined;
  if (runId === '' || request?.store === false) return rating && { given: rating, error: undefined };
  const rate = async (next: RunRating): Promise<void> => {
    setNewest({ of: runId, given: next });
    const kept = await keeping.run(next);
    if (!kept) setNewest((now) => (now?.given === next ? { of: runId, given } : now));
  };
  return { given, rate: (next) => void rate(next), error: keeping.error };
}
