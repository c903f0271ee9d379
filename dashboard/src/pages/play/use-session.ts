import { useEffect, useState, useSyncExternalStore } from 'react';
import { useLocation } from 'wouter';
import { useApi } from '../../api/api-context';
import { takeOpenedFile } from '../../run/opened-file';
import { runRequests } from '../../run/run-requests';
import { createRunSession, type RunSession, type SessionState } from '../../run/run-session';
import { createRunStore, type RunStore } from '../../run/run-store';

/** The address of a run from a file. */
const OPENED_FILE = 'file';

/** The run of a page, and the store that it is shown from. */
export interface PageSession {
  readonly session: RunSession;
  readonly store: RunStore;
  readonly state: SessionState;
}

/** The run of the page, whose id is in the address: `/play/ID`. */
export function useSession(id: string | undefined): PageSession {
  const api = useApi();
  const [store] = useState(() => createRunStore());
  const [session] = useState(() => createRunSession(runRequests(api), store));
  const state = useSyncExternalStore(session.subscribe, session.state);
  const [, navigate] = useLocation();
  const { runId } = state;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address follows the run that was begun, and not the other way round
  useEffect(() => {
    if (runId !== undefined && runId !== id) navigate(`/play/${runId}`);
  }, [runId]);
  useEffect(() => {
    if (id === session.state().runId) return;
    if (id === undefined) session.leave();
    else if (id === OPENED_FILE) showOpenedFile(session);
    else session.open(id);
  }, [id, session]);
  useEffect(() => session.leave, [session]);
  return { session, store, state };
}

/** After a reload the file is gone: nothing of it was kept. */
function showOpenedFile(session: RunSession): void {
  const file = takeOpenedFile();
  if (file) session.show(file);
  else session.leave();
}
