import { useEffect, useReducer, useState } from 'react';
import { useApi } from '../../api/api-context';
import { runRequests } from '../../run/run-requests';
import { createRunSession, type RunSession } from '../../run/run-session';
import { createRunStore, type RunStore } from '../../run/run-store';
import { asRequest, type RunBody } from '../play/setup/run-body';

/** One of the runs that are compared. */
export interface Compared {
  readonly name: string;
  readonly prompt: string;
  readonly session: RunSession;
  readonly store: RunStore;
}

/** The runs to be made, by name. */
export interface ToCompare {
  readonly name: string;
  readonly body: RunBody;
}

/** Runs side by side. Those of the comparison before are no longer looked at; kept ones go on at the server. */
export function useComparison() {
  const api = useApi();
  const [compared, setCompared] = useState<readonly Compared[]>([]);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const ends = compared.flatMap(({ session, store }) => [
      session.subscribe(redraw),
      // What is drawn here changes with the end of a run, and not with its texts.
      subscribeToEnd(store, redraw),
    ]);
    return () => {
      for (const end of ends) end();
      for (const { session } of compared) session.leave();
    };
  }, [compared]);
  const begin = (prompt: string, all: readonly ToCompare[]): void => {
    const next = all.map(({ name, body }) => {
      const store = createRunStore();
      const session = createRunSession(runRequests(api), store);
      session.begin(asRequest(body));
      return { name, prompt, session, store };
    });
    setCompared(next);
  };
  const stop = (): void => {
    for (const { session } of compared) session.stop();
  };
  return { compared, begin, stop };
}

/** True if nothing more is to come of a run. */
export function isOver({ session, store }: Compared): boolean {
  const { is } = session.state().connection;
  return store.shown().end !== undefined || is === 'refused' || is === 'gone';
}

function subscribeToEnd(store: RunStore, tell: () => void): () => void {
  let isTold = false;
  return store.subscribe(() => {
    if (isTold || !store.shown().end) return;
    isTold = true;
    tell();
  });
}
