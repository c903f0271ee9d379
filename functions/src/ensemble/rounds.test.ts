import { fakeClock } from '../../test/support/fake-clock';
import { createCatalog } from '../models/catalog';
import { Deadline } from './deadline';
import type { EnsembleEvent } from './events';
import type { Player } from './players';
import { playRounds, timed } from './rounds';
import type { Run } from './run';

const { modelOf } = createCatalog();

function player(failures = 0): Player {
  const model = modelOf('m');
  return { seat: { id: 'p1', model, label: 'M' }, text: 'draft', failures };
}

/** As much of a run as rounds need. */
function runOf(rounds: number) {
  const clock = fakeClock();
  const controller = new AbortController();
  const events: EnsembleEvent[] = [];
  const schedule = { waves: 1, judges: false, answerP95Ms: () => undefined };
  const run = {
    request: { rounds },
    clock,
    deadline: new Deadline(clock, clock.nowMs(), schedule),
    signal: controller.signal,
    notes: [],
    emit: (event: EnsembleEvent) => events.push(event),
  } as unknown as Run;
  const texts = (type: string): string[] =>
    events.flatMap((event) => (event.type === type && 'text' in event ? event.text : []));
  return { run, clock, abort: () => controller.abort(), texts };
}

const PLAN = { from: 2, title: 'refining', lastMs: 0, players: [player()] };
const NEVER = async (): Promise<undefined> => undefined;

describe('playRounds', () => {
  it('plays from the plan’s first round to the request’s number, and says so', async () => {
    const { run, texts } = runOf(4);
    const played: number[] = [];
    const last = await playRounds(run, PLAN, async (round) => {
      played.push(round);
      return undefined;
    });
    expect(last).toBe(4);
    expect(played).toEqual([2, 3, 4]);
    expect(texts('status')).toEqual(['Round 2 of 4: refining', 'Round 3 of 4: refining', 'Round 4 of 4: refining']);
  });

  it('plays none beyond the request’s number', async () => {
    const { run, texts } = runOf(1);
    expect(await playRounds(run, PLAN, NEVER)).toBe(1);
    expect(texts('status')).toEqual([]);
  });

  it('ends early when the models say so, with their reason', async () => {
    const { run, texts } = runOf(5);
    expect(await playRounds(run, PLAN, async (round) => (round === 3 ? 'All drafts stand' : undefined))).toBe(3);
    expect(texts('status').at(-1)).toBe('All drafts stand after round 3 of 5');
    expect(run.notes).toEqual([]);
  });

  it('does not call the last round an early end', async () => {
    const { run, texts } = runOf(2);
    expect(await playRounds(run, PLAN, async () => 'All drafts stand')).toBe(2);
    expect(texts('status')).toEqual(['Round 2 of 2: refining']);
  });

  it('starts no round that would not fit, and admits it', async () => {
    const { run, clock, texts } = runOf(3);
    const last = await playRounds(run, PLAN, async () => {
      // 405 s are spare; after a round of 200 s another needs 240 s of the 205 s left.
      await clock.advance(200_000);
      return undefined;
    });
    expect(last).toBe(2);
    expect(texts('degraded')).toEqual(['Stopped after round 2 of 3: not enough time for another']);
  });

  it('takes the step before for the first guess', async () => {
    const { run } = runOf(3);
    expect(await playRounds(run, { ...PLAN, lastMs: 405_000 / 1.2 + 1 }, NEVER)).toBe(1);
    expect(await playRounds(run, { ...PLAN, lastMs: 405_000 / 1.2 }, NEVER)).toBe(3);
  });

  it('goes by the last round alone: a slow one before it does not count', async () => {
    const { run, clock } = runOf(4);
    const durationsMs = [150_000, 1_000, 1_000];
    const last = await playRounds(run, PLAN, async (round) => {
      await clock.advance(durationsMs[round - 2] ?? 0);
      return undefined;
    });
    expect(last).toBe(4);
  });

  it('stops without a word when the run is over', async () => {
    const { run, abort, texts } = runOf(5);
    const last = await playRounds(run, PLAN, async (round) => {
      if (round === 3) abort();
      return undefined;
    });
    expect(last).toBe(3);
    expect(texts('degraded')).toEqual([]);
  });

  it('stops when nobody is worth asking any more: everyone has failed twice', async () => {
    const { run } = runOf(5);
    const players = [player(2), player(1)];
    const last = await playRounds(run, { ...PLAN, players }, async () => {
      for (const each of players) each.failures += 1;
      return undefined;
    });
    expect(last).toBe(2);
  });

  it('passes a failure of the round on', async () => {
    const { run } = runOf(2);
    await expect(playRounds(run, PLAN, () => Promise.reject(new Error('store')))).rejects.toThrow('store');
  });
});

describe('timed', () => {
  it('tells what a step gave and how long it took', async () => {
    const { run, clock } = runOf(1);
    const step = async (): Promise<string> => {
      await clock.advance(1_234);
      return 'done';
    };
    expect(await timed(run, step)).toEqual({ value: 'done', lastMs: 1_234 });
  });
});
