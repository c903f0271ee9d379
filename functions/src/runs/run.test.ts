import { getEventListeners } from 'node:events';
import { beginRun, speak, TIME_LIMIT_MS, UNREAD } from '../../test/support/run-parts';
import { Fault } from '../errors';
import { sleep } from '../lib/clock';
import { run } from './run';
import type { EventSink, RunContext } from './run-context';

/** One that remembers. */
function sinkOf() {
  const texts: string[] = [];
  const statuses: string[] = [];
  const read = Promise.resolve();
  const sink: EventSink = {
    live: true,
    text: (piece) => {
      texts.push(piece);
      return read;
    },
    status: (message) => void statuses.push(message),
  };
  return { sink, texts, statuses, read };
}

/** Ends when its signal is aborted, as a run does that has lost its models. */
const untilAborted =
  (error: unknown = new Fault('models_failed', 'No model answered')) =>
  ({ signal }: Pick<RunContext, 'signal'>): Promise<string> =>
    new Promise((_, reject) => {
      if (signal.aborted) reject(error);
      signal.addEventListener('abort', () => reject(error));
    });

describe('run', () => {
  it('returns what was made and what it came to, and notes both', async () => {
    const { admitted, clock, written } = await beginRun({ play: speak });
    const finished = await clock.settle(run(admitted, UNREAD), 10_000);
    // 100 prompt tokens at 150 nano-USD, and 40 completion tokens at 600.
    const totals = { promptTokens: 100, completionTokens: 40, costNanoUsd: 39_000 };
    expect(finished).toMatchObject({ result: 'said', totals });
    expect(written.noted.at(-1)).toEqual(totals);
    expect(written.lines).toEqual([]);
    const atMs = admitted.request.startedAtMs + 4_500;
    expect(written.settlements).toMatchObject([
      { request: { requestId: 'request-1' }, settledAtMs: atMs, calls: [{ outcome: 'ok' }] },
    ]);
  });

  it('gives back its memory, its models’ texts and its place once it is settled, and leaves nothing behind', async () => {
    const gate = Promise.withResolvers<'applied'>();
    const { admitted, clock, memory, modelOutput, placesLeft, stop } = await beginRun(
      {
        play: async ({ scope }) => {
          const call = scope.output.begin(() => undefined);
          call.grow(1_000_000);
          call.end(true);
          return 'done';
        },
      },
      ({ deps: { store } }) => ({ store: { ...store, settle: () => gate.promise } }),
    );
    const isHeld = () => [
      memory.hasRoomFor('ada', 1_000),
      modelOutput.memory.hasRoomFor('ada', 5 * 2 ** 20),
      placesLeft(),
    ];
    const finished = run(admitted, UNREAD);
    await clock.advance(1);
    expect(isHeld()).toEqual([false, false, 29]);
    gate.resolve('applied');
    await finished;
    expect(isHeld()).toEqual([true, true, 30]);
    expect(clock.pending).toBe(0);
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
  });

  it('pushes text and progress on, and notes once how long the first text took', async () => {
    const { sink, texts, statuses, read } = sinkOf();
    const { admitted, clock, written } = await beginRun({
      play: async ({ clock, sink }) => {
        expect(sink.live).toBe(true);
        sink.status('Asking');
        await sleep(clock, 700);
        expect(sink.text('A ')).toBe(read);
        await sleep(clock, 100);
        expect(sink.text('berry.')).toBe(read);
        return 'done';
      },
    });
    await clock.settle(run(admitted, sink), 1_000);
    expect({ texts, statuses }).toEqual({ texts: ['A ', 'berry.'], statuses: ['Asking'] });
    expect(written.noted.filter((facts) => 'firstTextMs' in facts)).toEqual([{ firstTextMs: 700 }]);
    expect(clock.pending).toBe(0);
  });
});

describe('the first text of an answer', () => {
  const played = async (onDisk: () => Promise<void> | undefined, live = true) => {
    const { sink, texts } = sinkOf();
    const { admitted } = await beginRun(
      {
        play: async ({ sink }) => {
          await Promise.all(['a', 'b', 'c'].map((piece) => sink.text(piece)));
          return 'done';
        },
      },
      ({ deps: { store } }) => ({ store: { ...store, onDisk } }),
    );
    return { ended: run(admitted, { ...sink, live }), texts };
  };

  it('waits until what was called for it is on disk, and all that comes meanwhile stays behind it, in order', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { ended, texts } = await played(() => promise);
    await new Promise(setImmediate);
    expect(texts).toEqual([]);
    resolve();
    await ended;
    expect(texts).toEqual(['a', 'b', 'c']);
  });

  it('does not leave where the disk has failed', async () => {
    const { ended, texts } = await played(() => Promise.reject(new Error('no disk')));
    expect([await ended, texts]).toMatchObject([{ code: 'internal' }, []]);
  });

  it('does not wait where the reply is sent whole, behind its settlement', async () => {
    const { ended, texts } = await played(() => new Promise<void>(() => undefined), false);
    await ended;
    expect(texts).toEqual(['a', 'b', 'c']);
  });
});

describe('a run that fails', () => {
  it('ends with its own fault, is told in the log and settled', async () => {
    const fault = new Fault('models_failed', 'No model answered');
    const { admitted, written } = await beginRun({ play: () => Promise.reject(fault) });
    expect(await run(admitted, UNREAD)).toBe(fault);
    expect(written.lines).toEqual([
      expect.objectContaining({
        severity: 'ERROR',
        message: 'request failed',
        requestId: 'request-1',
        cause: 'Fault: No model answered',
      }),
    ]);
    expect(written.settlements).toHaveLength(1);
  });

  it('stops what still runs: it must not go on behind the ledger’s back', async () => {
    let signal: AbortSignal | undefined;
    const { admitted } = await beginRun({
      play: async (context) => {
        signal = context.signal;
        throw new Fault('models_failed');
      },
    });
    const finished = run(admitted, UNREAD);
    expect(signal?.aborted).toBe(false);
    await finished;
    expect(signal?.aborted).toBe(true);
  });

  it('is not told in the log when its client has left', async () => {
    const { admitted, client, written } = await beginRun({ play: untilAborted() });
    const finished = run(admitted, UNREAD);
    client.abort();
    // Only the client knows a reason: for nobody else did time run out.
    expect(await finished).toMatchObject({ code: 'models_failed', publicText: 'No model answered' });
    expect(written.lines).toEqual([]);
    expect(written.settlements).toHaveLength(1);
  });
});

describe('the time limit of a run', () => {
  it('counts from the start of the request, stops the run and says so', async () => {
    const { admitted, clock } = await beginRun({ play: untilAborted() });
    await clock.advance(10_000);
    const finished = run(admitted, UNREAD);
    const state = () => Promise.race([finished, Promise.resolve('runs')]);
    await clock.advance(TIME_LIMIT_MS - 10_001);
    expect(await state()).toBe('runs');
    await clock.advance(1);
    expect(await finished).toMatchObject({
      code: 'models_failed',
      publicText: 'Time limit reached: No model answered',
      cause: { message: 'No model answered' },
    });
  });
});

describe('a run whose process is to end', () => {
  const restarting = { code: 'restarting', publicText: 'The server is restarting' };

  it('is stopped with the reason, which is only a warning in the log', async () => {
    const { admitted, stop, written } = await beginRun({ play: untilAborted(new Error('aborted')) });
    const finished = run(admitted, UNREAD);
    stop.abort();
    expect(await finished).toMatchObject(restarting);
    expect(written.lines).toEqual([expect.objectContaining({ severity: 'WARNING', message: 'request failed' })]);
    expect(written.settlements).toHaveLength(1);
  });

  it('is stopped also when that was told while it was being admitted', async () => {
    const { admitted, stop } = await beginRun({ play: untilAborted() });
    stop.abort();
    expect(await run(admitted, UNREAD)).toMatchObject(restarting);
  });
});
