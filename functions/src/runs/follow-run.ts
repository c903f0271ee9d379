import type { ByteShare } from '../lib/byte-budget';
import { type Clock, sleep } from '../lib/clock';
import { readWithin, unpackEvents } from '../lib/packed';
import { asOf, LOST_MESSAGE } from './run-list';
import type { KeptRun, RunPart, RunRef, RunStore } from './run-store';
import type { RunTrace } from './run-trace';
import type { TracedEvent } from './trace-event';

/** Events that follow each other, each as JSON. */
export interface TracePiece {
  /** The first one's `seq`. */
  readonly from: number;
  readonly events: readonly string[];
}

/** A run that is played in another process is looked at so often; so is one for which there is no memory. */
const LOOK_EVERY_MS = 1_000;
/** Events of this process are handed on so many at a time, and one at least. */
const PIECE_CHARACTERS_MAX = 64 * 1024;

/** The events of a run of this process from `from` on, as they come; ends with it, or when `signal` aborts. */
export async function* followLive(trace: RunTrace, from: number, signal: AbortSignal): AsyncGenerator<TracePiece> {
  for (let next = from; !signal.aborted; ) {
    const events = trace.slice(next, PIECE_CHARACTERS_MAX);
    if (events.length > 0) yield { from: next, events };
    else if (trace.isOver) return;
    else await trace.changed(signal);
    next += events.length;
  }
}

/** Parts of a reader of the store; `memory` holds one piece at a time. */
interface StoreReader {
  readonly store: RunStore;
  readonly clock: Clock;
  readonly memory: ByteShare;
  readonly signal: AbortSignal;
}

/** The same of a run that any process plays, read from the store; a lost process ends it with an event that says so. */
export async function* followStored(
  { from, ...ref }: RunRef & { readonly from: number },
  reader: StoreReader,
): AsyncGenerator<TracePiece> {
  const { store, clock, signal } = reader;
  for (let next = from; !signal.aborted; await sleep(clock, LOOK_EVERY_MS, signal)) {
    const found = await store.findRun(ref);
    if (!found) return;
    const run = asOf(found, clock.nowMs());
    for await (const piece of writtenPieces(run, next, reader)) {
      yield piece;
      next = piece.from + piece.events.length;
    }
    if (next < run.eventCount || run.state === 'running') continue;
    if (run.message === LOST_MESSAGE) yield { from: next, events: [lostEnd(run, next)] };
    return;
  }
}

/** The events that are written, as far as there is memory for them now. */
async function* writtenPieces(
  run: KeptRun,
  from: number,
  { store, memory, signal }: StoreReader,
): AsyncGenerator<TracePiece> {
  for (let next = from; next < run.eventCount && !signal.aborted; ) {
    const place = next;
    const [part] = (await readWithin(memory, async () => listOf(await store.readPart(run, 'events', place)))) ?? [];
    if (!part) return;
    yield { from: next, events: unpackEvents(part.text).slice(next - part.from) };
    memory.release();
    next = part.to;
  }
}

export function listOf(part: RunPart | undefined): RunPart[] {
  return part ? [part] : [];
}

/** The last event of the trace of a run that has lost its process: its readers may have more than was written. */
export function lostEnd(run: KeptRun, seq: number): string {
  const { durationMs: atMs, promptTokens, completionTokens, costNanoUsd, calls } = run;
  const sums = { promptTokens, completionTokens, costNanoUsd, calls, unpricedModels: [] };
  const end: TracedEvent = { type: 'end', outcome: 'failed', message: LOST_MESSAGE, ...sums, seq, atMs };
  return JSON.stringify(end);
}
