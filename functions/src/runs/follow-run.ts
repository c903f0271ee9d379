import { type Clock, sleep } from '../lib/clock';
import { unpackEvents } from './packed';
import type { RunLog } from './run-log';
import type { EventBatch, KeptRun, RunRef, RunStore } from './run-store';
import { asOf, LOST_MESSAGE } from './run-summary';
import type { TracedEvent } from './trace-event';

/** Events that follow each other, each as JSON. */
export interface TracePiece {
  /** The first one's `seq`. */
  readonly from: number;
  readonly events: readonly string[];
}

/** How often a run that is played in another process is looked at. */
const LOOK_EVERY_MS = 1_000;
const PIECE_EVENTS_MAX = 256;

/** The events of a run of this process from `from` on, as they come; ends with it, or when `gone` aborts. */
export async function* followLog(log: RunLog, from: number, gone: AbortSignal): AsyncGenerator<TracePiece> {
  let next = from;
  while (!gone.aborted) {
    const events = log.slice(next, PIECE_EVENTS_MAX);
    if (events.length > 0) {
      yield { from: next, events };
      next += events.length;
    } else if (log.isOver) return;
    else await unlessGone(log.changed(), gone);
  }
}

/** What reading the store takes. */
interface FollowDeps {
  readonly store: RunStore;
  readonly clock: Clock;
  /** Aborted once the process is to end: its readers go on in another. */
  readonly stopping: AbortSignal;
}

/**
 * The same of a run that the store knows, whoever plays it. One that has lost its process ends with an event that says so.
 */
export async function* followStored(
  { store, clock, stopping }: FollowDeps,
  ref: RunRef & { readonly from: number },
  gone: AbortSignal,
): AsyncGenerator<TracePiece> {
  let next = ref.from;
  while (!gone.aborted && !stopping.aborted) {
    const found = await store.findRun(ref);
    if (!found) return;
    const run = asOf(found, clock.nowMs());
    if (next < run.eventCount) {
      const events = await eventsOf(await store.readEvents(ref, next), next);
      // It was deleted meanwhile.
      if (events.length === 0) return;
      yield { from: next, events };
      next += events.length;
    } else if (run.state === 'running') await sleep(clock, LOOK_EVERY_MS, gone);
    else return yield* ending(run, next);
  }
}

/** What comes behind the events that are written, where a run has lost its process. */
function ending(run: KeptRun, next: number): readonly TracePiece[] {
  return run.message === LOST_MESSAGE && next === run.eventCount ? [{ from: next, events: [lostEnd(run)] }] : [];
}

/** All events of a run that is kept, as far as they are written. */
export async function readTrace(deps: Omit<FollowDeps, 'stopping'>, ref: RunRef): Promise<string[]> {
  const run = await deps.store.findRun(ref);
  const events: string[] = [];
  while (run && events.length < run.eventCount) {
    const more = await eventsOf(await deps.store.readEvents(ref, events.length), events.length);
    if (more.length === 0) return events;
    events.push(...more);
  }
  const current = run && asOf(run, deps.clock.nowMs());
  return current?.message === LOST_MESSAGE ? [...events, lostEnd(current)] : events;
}

/** The events of batches from a place on. */
async function eventsOf(batches: readonly EventBatch[], from: number): Promise<string[]> {
  const unpacked = await Promise.all(
    batches.map(async (batch) => (await unpackEvents(batch.bytes)).slice(Math.max(0, from - batch.from))),
  );
  return unpacked.flat();
}

/** What ends the trace of a run that has lost its process. */
function lostEnd(run: KeptRun): string {
  const { eventCount: seq, durationMs: atMs, promptTokens, completionTokens, costNanoUsd, calls } = run;
  const sums = { promptTokens, completionTokens, costNanoUsd, calls, unpricedModels: [] };
  const end: TracedEvent = { type: 'end', outcome: 'failed', message: LOST_MESSAGE, ...sums, seq, atMs };
  return JSON.stringify(end);
}

/** Resolves as `work` does, or at once when `gone` aborts. */
function unlessGone(work: Promise<void>, gone: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => resolve();
    gone.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => gone.removeEventListener('abort', leave));
  });
}
