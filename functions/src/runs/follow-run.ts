import type { ByteShare } from '../lib/byte-budget';
import { type Clock, sleep } from '../lib/clock';
import { HELD_BYTES, unpackEvents, unpackedBytes } from '../lib/packed';
import type { RunLog } from './run-log';
import type { KeptRun, RunRef, RunStore } from './run-store';
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
/** Events are handed on so many at a time, and one at least. */
const PIECE_CHARACTERS_MAX = 64 * 1024;
/** A piece of one very long event holds no more, or there might never be room for it. */
const HELD_MAX_BYTES = 16 * 1024 * 1024;
/** A reader for whom there is no memory tries again after it. */
const NO_MEMORY_PAUSE_MS = 1_000;

/** Parts of a reader; its memory is that of the piece that it has been given and has not yet passed on. */
interface Reader {
  readonly clock: Clock;
  readonly memory: ByteShare;
  /** Aborted: its client has left. */
  readonly gone: AbortSignal;
}

/** The events of a run of this process from `from` on, as they come; ends with it, or when `gone` aborts. */
export async function* followLog(log: RunLog, from: number, reader: Reader): AsyncGenerator<TracePiece> {
  const { gone } = reader;
  let next = from;
  while (!gone.aborted) {
    const events = log.slice(next, PIECE_CHARACTERS_MAX);
    if (events.length > 0) {
      const piece = { from: next, events };
      yield* held(reader, charactersOf(events), async () => piece);
      next += events.length;
    } else if (log.isOver) return;
    else await unlessGone(log.changed(), gone);
  }
}

/** A run that is read from the store. */
interface StoredRun extends RunRef {
  readonly store: RunStore;
  /** Aborted once the process is to end: its readers go on in another. */
  readonly stopping: AbortSignal;
}

/**
 * The same of a run that the store knows, whoever plays it. One that has lost its process ends with an event that says so.
 */
export async function* followStored(
  { store, stopping, ...ref }: StoredRun,
  from: number,
  reader: Reader,
): AsyncGenerator<TracePiece> {
  const { clock, gone } = reader;
  let next = from;
  while (!gone.aborted && !stopping.aborted) {
    const found = await store.findRun(ref);
    if (!found) return;
    const run = asOf(found, clock.nowMs());
    while (next < run.eventCount && !gone.aborted) {
      const batch = await store.readEvents(ref, next);
      // It was deleted meanwhile.
      if (!batch) return;
      const at = next;
      const read = async () => ({ from: at, events: (await unpackEvents(batch.bytes)).slice(at - batch.from) });
      yield* held(reader, unpackedBytes(batch.bytes), read);
      next = batch.to;
    }
    if (run.state !== 'running') return yield* ending(run, next);
    await sleep(clock, LOOK_EVERY_MS, gone);
  }
}

/** A piece of so many bytes, made once there is memory for it, which is held until the reader asks for the next one. */
async function* held(
  { memory, clock, gone }: Reader,
  bytes: number,
  make: () => Promise<TracePiece>,
): AsyncGenerator<TracePiece> {
  const heldBytes = Math.min(bytes * HELD_BYTES, HELD_MAX_BYTES);
  while (!gone.aborted && !memory.hold(heldBytes)) await sleep(clock, NO_MEMORY_PAUSE_MS, gone);
  if (gone.aborted) return;
  try {
    yield await make();
  } finally {
    memory.release();
  }
}

/** What comes behind the events that are written, where a run has lost its process. */
function ending(run: KeptRun, next: number): readonly TracePiece[] {
  return run.message === LOST_MESSAGE && next === run.eventCount ? [{ from: next, events: [lostEnd(run)] }] : [];
}

function charactersOf(events: readonly string[]): number {
  return events.reduce((sum, { length }) => sum + length, 0);
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
