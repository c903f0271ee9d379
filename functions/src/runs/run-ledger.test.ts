import { announcedCall, beginRun, CHECKPOINT_EVERY_MS, speak, UNREAD } from '../../test/support/run-parts';
import { run } from './run';

describe('the checkpoints of a run', () => {
  it('are written at intervals while it is under way, and never after', async () => {
    const { admitted, clock, written } = await beginRun({ play: speak });
    await clock.settle(run(admitted, UNREAD), 10_000);
    // After each second: as much again as the first found, then half of the last gain.
    const tokens = written.checkpoints.map((calls) => calls.map(({ completionTokens }) => completionTokens));
    expect(tokens).toEqual([[16], [20], [28], [36]]);
    await clock.advance(10 * CHECKPOINT_EVERY_MS);
    expect(written.checkpoints).toHaveLength(4);
  });

  it('are a warning in the log when they fail, and nothing else', async () => {
    const { admitted, clock, written } = await beginRun({ play: speak }, ({ deps: { store } }) => ({
      store: { ...store, checkpoint: () => Promise.reject(new Error('disk full')) },
    }));
    expect(await clock.settle(run(admitted, UNREAD), 10_000)).toMatchObject({ result: 'said' });
    expect(written.lines).toHaveLength(4);
    expect(written.lines[0]).toMatchObject({
      severity: 'WARNING',
      message: 'checkpoint failed',
      requestId: 'request-1',
      cause: 'Error: disk full',
    });
  });
});

describe('the settlement of a run', () => {
  const failed = { severity: 'ERROR', message: 'settle failed', requestId: 'request-1' };

  it('is left to the sweep when it fails: the answer is given all the same', async () => {
    const { admitted, written, clock } = await beginRun({}, ({ deps: { store } }) => ({
      store: { ...store, settle: () => Promise.reject(new Error('the store is away')) },
    }));
    expect(await run(admitted, UNREAD)).toMatchObject({ result: 'done' });
    expect(written.lines).toMatchObject([{ ...failed, cause: 'Error: the store is away' }]);
    expect(clock.pending).toBe(0);
  });

  it('is left to the sweep when it takes longer than ten seconds', async () => {
    const { admitted, written, clock } = await beginRun({}, ({ deps: { store } }) => ({
      store: { ...store, settle: () => new Promise(() => undefined) },
    }));
    const finished = run(admitted, UNREAD);
    await clock.advance(9_999);
    expect(await Promise.race([finished, Promise.resolve('settles')])).toBe('settles');
    await clock.advance(1);
    expect(await finished).toMatchObject({ result: 'done' });
    const cause = 'Error: not settled within 10000 ms, left to the sweep';
    expect(written.lines).toMatchObject([{ ...failed, cause }]);
  });

  it('warns of each model without a price once, by its id', async () => {
    const unknown = ['gpt-unheard-of', 'gpt-99-x'].map((id) => announcedCall(id, id));
    const { admitted, written } = await beginRun({
      firstWave: unknown,
      play: async ({ ledger }) => {
        for (const call of unknown) {
          const { meter, close } = await ledger.openAttempt(call, 1);
          Object.assign(meter, { characters: 40, tokens: 10 });
          close(undefined, 5);
        }
        return 'done';
      },
    });
    await run(admitted, UNREAD);
    expect(written.lines).toMatchObject(
      ['gpt-99-x', 'gpt-unheard-of'].map((modelId) => ({
        severity: 'WARNING',
        message: 'no price known',
        requestId: 'request-1',
        modelId,
      })),
    );
  });
});
