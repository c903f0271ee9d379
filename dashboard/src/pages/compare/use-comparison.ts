import { useEffect, useReducer, useState } from 'react';
import { useApi } from '../../api/api-context';
import { runRequests } from '../../run/run-requests';
import { createRunSession, type RunSession } from '../../run/run-session';
import { createRunStore, type RunStore } from '../../run/run-store';
import { asRequest, type RunBody } from '../play/setup/run-body';
import type { ComparedRunId } from './kept-comparison';

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

/**
 * Runs side by side, at first those that were left. Those of the comparison before are no longer looked at; kept ones go on at
 * the server.
 */
export function useComparison(left: readonly ComparedRunId[]) {
  const api = useApi();
  const newRun = ({ name, prompt }: Pick<Compared, 'name' | 'prompt'>): Compared => {
    const store = createRunStore();
    return { name, prompt, session: createRunSession(runRequests(api), store), store };
  };
  const [compared, setCompared] = useState<readonly Compared[]>(() => {
    const found = left.map(newRun);
    for (const [at, { session }] of found.entries()) session.open(left[at]?.runId ?? '');
    return found;
  });
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
    const next = all.map(({ name }) => newRun({ name, prompt }));
    for (const [at, { session }] of next.entries()) {
      const { body } = all[at] ?? {};
      if (body) session.begin(asRequest(body));
    }
    setCompared(next);
  };
  const stop = (): void => {
    for (const { session } of compared) session.stop();
  };
  return { compared, begin, stop };
}

/** Those that have begun, by which they are found again. */
export function runIdsOf(compared: readonly Compared[]): readonly ComparedRunId[] {
  return compared.flatMap(({ name, prompt, session }) => {
    const { runId } = session.state();
    return runId === undefined ? [] : [{ name, prompt, runId }];
  });
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
