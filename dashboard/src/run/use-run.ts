import { createContext, useContext, useSyncExternalStore } from 'react';
import type { RunState } from './run-state';
import type { RunStore } from './run-store';

/** The run that a part of the page shows. */
export const RunContext = createContext<RunStore | undefined>(undefined);

/** The store of that run. */
export function useRunStore(): RunStore {
  const store = useContext(RunContext);
  if (!store) throw new Error('No RunContext around this component');
  return store;
}

/** A part of the run, as it changes. The selector must return the same value as long as that part is the same. */
export function useRun<Part>(select: (state: RunState) => Part): Part {
  const store = useRunStore();
  return useSyncExternalStore(store.subscribe, () => select(store.shown()));
}
