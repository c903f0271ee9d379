import { recorded } from '../../test/support/recorded-run';
import { ApiError } from '../api/api-error';
import { type Connection, followRun } from './follow-run';
import type { PageSight } from './page-sight';
import type { RunEvent } from './run-events';
import { createRunStore } from './run-store';

const EVENTS = recorded();
const encoder = new TextEncoder();

/** The bytes of these events, in pieces of so many; broken: the connection is lost behind them. */
function streamOf(events: readonly RunEvent[], { size = 50, broken = false } = {}): ReadableStream<Uint8Array> {
  const bytes = encoder.encode(
    events.map((event) => `: alive\n\nid: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
  );
  let at = 0;
  return new ReadableStream({
    pull: (controller) => {
      const piece = bytes.slice(at, at + size);
      at += size;
      if (piece.length > 0) controller.enqueue(piece);
      else if (broken) controller.error(new TypeError('network error'));
      else controller.close();
    },
  });
}

/** Follows a run whose connections are these, the first of them there already; what it was told and asked for. */
async function follow(connections: readonly (ReadableStream<Uint8Array> | ApiError)[], sight?: PageSight) {
  const store = createRunStore((tell) => tell());
  const told: Connection['is'][] = [];
  const asked: number[] = [];
  const waits: number[] = [];
  const [first, ...others] = connections;
  await followRun({
    store,
    ...(first instanceof ReadableStream && { first }),
    resume: async (after) => {
      asked.push(after);
      const next = others.shift();
      if (next === undefined) throw new Error('asked for once more than expected');
      if (next instanceof ApiError) throw next;
      return next;
    },
    tell: ({ is }) => told.push(is),
    signal: new AbortController().signal,
    wait: async (ms) => void waits.push(ms),
    ...(sight && { sight }),
  });
  return { state: store.latest(), told, asked, waits };
}

const unavailable = new ApiError('down', { status: 503, type: 'unavailable' });

describe('a run that is followed', () => {
  it('is read from pieces of any size', async () => {
    const { state, told } = await follow([streamOf(EVENTS, { size: 7 })]);
    expect(state.answer).toBe('It is **a berry**.');
    expect(told).toEqual(['open', 'over']);
  });

  it('goes on behind the last event that came, over as many connections as break', async () => {
    const { state, told, asked } = await follow([
      streamOf(EVENTS.slice(0, 10), { broken: true }),
      streamOf(EVENTS.slice(8, 20), { broken: true }),
      streamOf(EVENTS.slice(20, 30)),
      streamOf(EVENTS.slice(30)),
    ]);
    expect(state).toEqual((await follow([streamOf(EVENTS)])).state);
    expect(asked).toEqual([9, 19, 29]);
    expect(told).toEqual(['open', 'lost', 'open', 'lost', 'open', 'lost', 'open', 'over']);
  });

  it('asks anew where an event is missing', async () => {
    const { state, asked } = await follow([
      streamOf([...EVENTS.slice(0, 5), ...EVENTS.slice(6)]),
      streamOf(EVENTS.slice(5)),
    ]);
    expect(asked).toEqual([4]);
    expect(state.end?.outcome).toBe('complete');
  });

  it('waits longer each time that nothing comes, and at most 15 seconds', async () => {
    const { waits, told } = await follow([streamOf([]), ...Array(6).fill(unavailable), streamOf(EVENTS)]);
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
    expect(told.at(-1)).toBe('over');
  });

  it('ends where the server does not know it any more', async () => {
    const { told, waits } = await follow([
      streamOf(EVENTS.slice(0, 10)),
      new ApiError('Unknown run', { status: 404, type: 'not_found' }),
    ]);
    expect(told).toEqual(['open', 'lost', 'gone']);
    expect(waits).toEqual([500]);
  });

  it('gives its connection back while it cannot be seen, and says nothing of a loss', async () => {
    const silent = (events: readonly RunEvent[]): ReadableStream<Uint8Array> => {
      const bytes = encoder.encode(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
      return new ReadableStream({ start: (controller) => controller.enqueue(bytes) });
    };
    const rests: number[] = [];
    let looks = 0;
    const sight: PageSight = {
      onHidden: (listener) => {
        looks += 1;
        // In the background for the first two connections.
        if (looks < 3) setTimeout(listener);
        return () => undefined;
      },
      untilSeen: async (ms) => void rests.push(ms),
    };
    const { state, told, asked, waits } = await follow(
      [silent(EVENTS.slice(0, 10)), silent(EVENTS.slice(10, 20)), streamOf(EVENTS.slice(20))],
      sight,
    );
    expect(state).toEqual((await follow([streamOf(EVENTS)])).state);
    expect([asked, rests, waits]).toEqual([[9, 19], [30_000, 30_000], []]);
    expect(told).toEqual(['open', 'open', 'open', 'over']);
  });
});
