import { applyEvents } from './apply-event';
import type { RunEvent } from './run-events';
import { NO_RUN, type RunState } from './run-state';

/** The store of a page's run while it is looked at. */
export interface RunStore {
  /** The state that listeners were last told. */
  shown(): RunState;
  /** With every event that has come. */
  latest(): RunState;
  /** The moment at which the newest event came, by `performance.now()`. */
  changedAtMs(): number;
  apply(events: readonly RunEvent[]): void;
  /** Begins anew. */
  reset(): void;
  /** Calls back after a change, at most once for each frame that is drawn; returns what ends that. */
  subscribe(listener: () => void): () => void;
}

/** A hidden page draws no frames, and is to know what has happened nevertheless. */
const HIDDEN_MS = 250;

/** An empty store, which tells of changes when `schedule` calls back: by default with the next frame. */
export function createRunStore(schedule = withNextFrame): RunStore {
  const listeners = new Set<() => void>();
  let latest = NO_RUN;
  let shown = NO_RUN;
  let changedAtMs = 0;
  let isDue = false;
  const tell = (): void => {
    isDue = false;
    shown = latest;
    for (const listener of listeners) listener();
  };
  const change = (state: RunState): void => {
    if (state === latest) return;
    latest = state;
    changedAtMs = performance.now();
    if (isDue) return;
    isDue = true;
    schedule(tell);
  };
  return {
    shown: () => shown,
    latest: () => latest,
    changedAtMs: () => changedAtMs,
    apply: (events) => change(applyEvents(latest, events)),
    reset: () => change(NO_RUN),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function withNextFrame(tell: () => void): void {
  if (document.hidden) setTimeout(tell, HIDDEN_MS);
  else requestAnimationFrame(tell);
}
