import { getEventListeners } from 'node:events';
import { readTrace } from '../../test/support/read-trace';
import {
  announcedCall,
  beginRun,
  CHECKPOINT_EVERY_MS,
  speak,
  TIME_LIMIT_MS,
  UNREAD,
} from '../../test/support/run-parts';
import { Fault } from '../errors';
import { run } from './run';
import { allOrStop, type EventSink, type RunContext } from './run-context';
import type { RunObserver } from './run-observer';
import type { TraceEvent } from './trace-event';

/** Ends when its signal is aborted, as a run does that has lost its models. */
const untilAborted =
  (error: unknown = new Fault('models_failed', 'No model answered')) =>
  ({ signal }: Pick<RunContext, 'signal'>): Promise<string> =>
    new Promise((_, reject) => {
      if (signal.aborted) reject(error);
      signal.addEventListener('abort', () => reject(error));
    });

describe('run', () => {
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

  it('stops what still runs where it fails: it must not go on behind the ledger’s back', async () => {
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

  it('has a time limit, which counts from the start of the request, and says so', async () => {
    const { admitted, clock } = await beginRun({ play: untilAborted() });
    await clock.advance(10_000);
    const finished = run(admitted, UNREAD);
    const state = () => Promise.race([finished, Promise.resolve('runs')]);
    await clock.advance(TIME_LIMIT_MS - 10_001);
    expect(await state()).toBe('runs');
    await clock.advance(1);
    const publicText = 'Time limit reached: No model answered';
    expect(await finished).toMatchObject({ publicText, cause: { message: 'No model answered' } });
  });

  it.each(['while it runs', 'while it was being admitted'])(
    'is stopped when its process is to end, %s',
    async (when) => {
      const { admitted, stop, written } = await beginRun({ play: untilAborted(new Error('aborted')) });
      if (when === 'while it was being admitted') stop.abort();
      const finished = run(admitted, UNREAD);
      stop.abort();
      expect(await finished).toMatchObject({ code: 'restarting', publicText: 'The server is restarting' });
      expect(written.lines).toMatchObject([{ severity: 'WARNING', message: 'request failed' }]);
      expect(written.settlements).toHaveLength(1);
    },
  );
});

describe('the first text of an answer', () => {
  const played = async (onDisk: () => Promise<void> | undefined, live = true) => {
    const texts: string[] = [];
    const sink: EventSink = { ...UNREAD, live, text: (piece) => void texts.push(piece) };
    const play = async ({ sink }: RunContext) => {
      await Promise.all(['a', 'b', 'c'].map((piece) => sink.text(piece)));
      return 'done';
    };
    const { admitted } = await beginRun({ play }, ({ deps: { store } }) => ({ store: { ...store, onDisk } }));
    return { ended: run(admitted, sink), texts };
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

describe('the books of a run', () => {
  it('have checkpoints at intervals while it is under way, and never after', async () => {
    const { admitted, clock, written } = await beginRun({ play: speak });
    await clock.settle(run(admitted, UNREAD), 10_000);
    // After each second: as much again as the first found, then half of the last gain.
    const tokens = written.checkpoints.map((calls) => calls.map(({ completionTokens }) => completionTokens));
    expect(tokens).toEqual([[16], [20], [28], [36]]);
    await clock.advance(10 * CHECKPOINT_EVERY_MS);
    expect(written.checkpoints).toHaveLength(4);
  });

  it('are a warning in the log where a checkpoint fails, and nothing else', async () => {
    const { admitted, clock, written } = await beginRun({ play: speak }, ({ deps: { store } }) => ({
      store: { ...store, checkpoint: () => Promise.reject(new Error('disk full')) },
    }));
    expect(await clock.settle(run(admitted, UNREAD), 10_000)).toMatchObject({ result: 'said' });
    expect(written.lines).toHaveLength(4);
    expect(written.lines[0]).toMatchObject({ severity: 'WARNING', message: 'checkpoint failed' });
  });

  it('are left to the sweep when settling takes longer than ten seconds', async () => {
    const { admitted, written, clock } = await beginRun({}, ({ deps: { store } }) => ({
      store: { ...store, settle: () => new Promise(() => undefined) },
    }));
    const finished = run(admitted, UNREAD);
    await clock.advance(9_999);
    expect(await Promise.race([finished, Promise.resolve('settles')])).toBe('settles');
    await clock.advance(1);
    expect(await finished).toMatchObject({ result: 'done' });
    const cause = 'Error: not settled within 10000 ms, left to the sweep';
    expect(written.lines).toMatchObject([{ severity: 'ERROR', message: 'settle failed', cause }]);
  });
});

const BEGAN: TraceEvent = {
  ...{ type: 'run', version: 1, runId: 'request-1', startedAtMs: 0, strategy: 'pass_through', rounds: 1 },
  ...{ participants: [], callsMax: 1, costMaxNanoUsd: 1, durationMaxMs: 1 },
  arbiter: { seat: 'arbiter', modelId: 'gpt-4o-mini', modelName: 'GPT-4o mini', label: 'GPT', source: 'platform' },
};

describe('the trace of a run', () => {
  /** The trace of a run with one call that is queued, and then does this. */
  async function traceOf(play: (context: RunContext, observer: RunObserver) => Promise<string>) {
    const events: TraceEvent[] = [];
    const parts = await beginRun({
      play: async (context) => {
        const { observer } = context;
        if (!observer) throw new Error('nobody observes');
        observer.tell(BEGAN);
        const call = { call: 'a', seat: 'p1', modelId: 'gpt-4o-mini', round: 1, saw: [], shortened: false };
        observer.queued({ ...call, purpose: 'draft' }, { of: 1, label: 'drafts' });
        observer.hearing('a').started(1);
        return play(context, observer);
      },
    });
    await run(parts.admitted, UNREAD, (event) => events.push(event));
    return { ...parts, events };
  }

  it('ends a call that the run has left behind, with what it had consumed', async () => {
    const { events, written } = await traceOf(async ({ ledger }) => {
      const { meter } = await ledger.openAttempt(announcedCall('a'), 1);
      Object.assign(meter, { characters: 32, tokens: 8 });
      throw new Fault('models_failed', 'All gone');
    });
    const trace = readTrace(events);
    expect(trace.flaws).toEqual([]);
    expect(trace.calls.get('a')?.state).toBe('cut');
    // 100 tokens of the prompt at 150 nano-USD, 8 of the reply at 600.
    expect(trace.spends).toMatchObject([{ promptTokens: 100, completionTokens: 8, costNanoUsd: 19_800 }]);
    expect(trace.end).toMatchObject({ outcome: 'failed', message: 'All gone', costNanoUsd: 19_800 });
    expect(written.settlements[0]?.calls).toMatchObject([{ callId: 'a', costNanoUsd: 19_800 }]);
  });

  it('says nothing after the end', async () => {
    let late = (): void => undefined;
    const { events } = await traceOf(async (_, observer) => {
      late = () => void observer.hearing('a').text('too late');
      return 'done';
    });
    const told = events.length;
    late();
    expect(events).toHaveLength(told);
    expect(events.at(-1)?.type).toBe('end');
  });
});

it('calls side by side are all stopped when one rejects, and waited for before its error is passed on', async () => {
  const broken = new Error('the ledger cannot be kept');
  const other = Promise.withResolvers<string>();
  const events: string[] = [];
  const stop = (): void => {
    events.push('stopped');
    setImmediate(() => {
      events.push('ended');
      other.reject(new Error('aborted'));
    });
  };
  await expect(allOrStop([other.promise, Promise.reject(broken)], stop)).rejects.toBe(broken);
  expect(events).toEqual(['stopped', 'ended']);
});
