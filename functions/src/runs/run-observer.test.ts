import { readTrace } from '../../test/support/read-trace';
import { announcedCall, beginRun, UNREAD } from '../../test/support/run-parts';
import { Fault } from '../errors';
import { run } from './run';
import type { RunContext } from './run-context';
import type { RunObserver } from './run-observer';
import type { TraceEvent } from './trace-event';

const BEGAN: TraceEvent = {
  ...{ type: 'run', version: 1, runId: 'request-1', startedAtMs: 0, strategy: 'pass_through', rounds: 1 },
  ...{ participants: [], callsMax: 1, costMaxNanoUsd: 1, durationMaxMs: 1 },
  arbiter: { seat: 'arbiter', modelId: 'gpt-4o-mini', modelName: 'GPT-4o mini', label: 'GPT', source: 'platform' },
};
const QUEUED = {
  call: 'a',
  seat: 'p1',
  modelId: 'gpt-4o-mini',
  round: 1,
  purpose: 'draft',
  saw: [],
  shortened: false,
} as const;

/** The trace of a run that does this, with its reply. */
async function traceOf(play: (context: RunContext, observer: RunObserver) => Promise<string>) {
  const events: TraceEvent[] = [];
  const parts = await beginRun({
    play: async (context) => {
      const { observer } = context;
      if (!observer) throw new Error('nobody observes');
      observer.tell(BEGAN);
      return play(context, observer);
    },
  });
  const ended = await run(parts.admitted, UNREAD, (event) => events.push(event));
  return { ...parts, events, ended, trace: readTrace(events) };
}

describe('RunObserver', () => {
  it('ends a call that the run has left behind, with what it had consumed', async () => {
    const { trace, written } = await traceOf(async ({ ledger }, observer) => {
      observer.queued(QUEUED, { of: 1, label: 'drafts' });
      const { meter } = await ledger.openAttempt(announcedCall('a'), 1);
      observer.hearing('a').started(1);
      Object.assign(meter, { characters: 32, tokens: 8 });
      throw new Fault('models_failed', 'All gone');
    });
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
      observer.queued(QUEUED, { of: 1, label: 'drafts' });
      const hearing = observer.hearing('a');
      hearing.started(1);
      late = () => void hearing.text('too late');
      return 'done';
    });
    const told = events.length;
    late();
    expect(events).toHaveLength(told);
    expect(events.at(-1)?.type).toBe('end');
  });

  it('tells the ending only once the ledger is settled', async () => {
    const order: string[] = [];
    const { admitted } = await beginRun({}, ({ deps }) => ({
      store: {
        ...deps.store,
        settle: async () => {
          order.push('settled');
          return 'applied';
        },
      },
    }));
    await run(admitted, UNREAD, ({ type }) => order.push(type));
    expect(order).toEqual(['settled', 'end']);
  });
});
