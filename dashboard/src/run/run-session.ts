import { type Connection, followRun } from './follow-run';
import { pageSight } from './page-sight';
import type { RecordedRun, RunEvent, RunRating, RunRequest } from './run-events';
import { createRunPlayer, type RunPlayer } from './run-player';
import type { RunRequests } from './run-requests';
import type { RunStore } from './run-store';
import { waitForEvent } from './wait-for-event';

/** The page's knowledge of the run that it shows, besides the run itself. */
export interface SessionState {
  readonly runId?: string;
  /** The question, where it is known. */
  readonly prompt?: string;
  /** The request as it was sent, if it was from the playground. */
  readonly request?: RunRequest;
  /** Earlier evaluations of its answers. */
  readonly evaluations?: readonly unknown[];
  readonly rating?: RunRating;
  readonly connection: Connection;
  readonly isStopping: boolean;
  /** Why it could not be stopped. */
  readonly stopError?: unknown;
  /** Shows it again; there is one as soon as the run is over. */
  readonly player?: RunPlayer;
}

/** The run of a page: begun or opened here, followed to its end, stopped, and shown again. */
export interface RunSession {
  state(): SessionState;
  subscribe(listener: () => void): () => void;
  /** Begins a run and follows it. */
  begin(request: RunRequest): void;
  /** Shows a run that is kept, and follows it if it is not over. */
  open(id: string): void;
  /** Shows a run that was recorded; the server is not asked. */
  show(run: RecordedRun): void;
  stop(): void;
  /** Shows nothing any more; a run that is kept goes on without being looked at. */
  leave(): void;
}

const NOTHING: SessionState = { connection: { is: 'none' }, isStopping: false };

/** A session that shows its run in this store. */
export function createRunSession(requests: RunRequests, store: RunStore): RunSession {
  const listeners = new Set<() => void>();
  let state = NOTHING;
  let watching = new AbortController();
  let events: RunEvent[] = [];

  const change = (part: Partial<SessionState>): void => {
    state = { ...state, ...part };
    for (const listener of listeners) listener();
  };
  /** Ends what was shown before; the signal is of what is shown from now on. */
  const anew = (part: Partial<SessionState>): AbortSignal => {
    watching.abort();
    watching = new AbortController();
    state.player?.finish();
    events = [];
    store.reset();
    state = NOTHING;
    change(part);
    return watching.signal;
  };
  const apply = (more: readonly RunEvent[]): void => {
    const { nextSeq } = store.latest();
    store.apply(more);
    events.push(...more.filter(({ seq }) => seq >= nextSeq && seq < store.latest().nextSeq));
  };
  const follow = (id: string, signal: AbortSignal, first?: ReadableStream<Uint8Array>): Promise<void> =>
    followRun({
      store: { apply, latest: store.latest },
      ...(first && { first }),
      resume: (afterSeq, either) => requests.resume(id, afterSeq, either),
      tell: (connection) =>
        change({ connection, ...(connection.is === 'over' && { player: createRunPlayer(events, store) }) }),
      signal,
      wait: (ms, either) => waitForEvent(window, 'online', { ms, signal: either }),
      // One that is not kept would be stopped.
      ...(state.request?.store !== false && { sight: pageSight }),
    });
  const attempt = async (signal: AbortSignal, act: () => Promise<void>): Promise<void> => {
    try {
      await act();
    } catch (error) {
      if (!signal.aborted) change({ connection: { is: state.runId === undefined ? 'refused' : 'gone', error } });
    }
  };
  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    begin: (request) => {
      const signal = anew({ request, connection: { is: 'opening' } });
      void attempt(signal, async () => {
        const run = await requests.begin(request, signal);
        change({ runId: run.id });
        await follow(run.id, signal, run.events);
      });
    },
    open: (id) => {
      const signal = anew({ runId: id, connection: { is: 'opening' } });
      void attempt(signal, async () => {
        const { events: kept = [], ...about } = await requests.read(id, signal);
        change(about);
        apply(kept);
        if (store.latest().end) change({ connection: { is: 'over' }, player: createRunPlayer(events, store) });
        else await follow(id, signal);
      });
    },
    show: ({ events: recorded, ...about }) => {
      anew({ ...about, connection: { is: 'over' } });
      apply(recorded);
      change({ player: createRunPlayer(events, store) });
    },
    stop: () => {
      const { runId } = state;
      if (runId === undefined || state.isStopping || store.latest().end) return;
      change({ isStopping: true, stopError: undefined });
      requests.stop(runId).catch((stopError: unknown) => change({ isStopping: false, stopError }));
    },
    leave: () => void anew({}),
  };
}
