import { fakeClock } from '../../../test/support/fake-clock';
import { createCatalog } from '../../models/catalog';
import { Deadline } from '../deadline/deadline';
import type { Contributor } from '../panel/contributors';
import type { Run } from '../run';
import { playRounds } from './rounds';

const { modelOf } = createCatalog();

function contributor(failures = 0): Contributor {
  const model = modelOf('m');
  return { seat: { id: 'p1', model, label: 'M' }, text: 'draft', failures };
}

/** Part of a run that rounds need. */
function runOf(rounds: number, roundsPaid = rounds) {
  const clock = fakeClock();
  const controller = new AbortController();
  const statuses: string[] = [];
  const schedule = { waves: 1, judges: false, answerP95Ms: () => undefined };
  const run = {
    request: { rounds },
    clock,
    deadline: new Deadline(clock, clock.nowMs(), schedule),
    budget: { roundFlaw: (round: number) => (round > roundsPaid ? 'too dear' : undefined) },
    signal: controller.signal,
    degraded: [],
    sink: { status: (message: string) => statuses.push(message) },
  } as unknown as Run;
  return { run, clock, abort: () => controller.abort(), statuses };
}

const ROUNDS = { from: 2, title: 'refining', contributors: [contributor()] };
const NEVER = async (): Promise<undefined> => undefined;

describe('playRounds', () => {
  it('plays from the first round asked for to the request’s number, and says so', async () => {
    const { run, statuses } = runOf(4);
    const played: number[] = [];
    const last = await playRounds(run, ROUNDS, async (round) => {
      played.push(round);
      return undefined;
    });
    expect(last).toBe(4);
    expect(played).toEqual([2, 3, 4]);
    expect(statuses).toEqual(['Round 2 of 4: refining', 'Round 3 of 4: refining', 'Round 4 of 4: refining']);
  });

  it('plays none beyond the request’s number', async () => {
    const { run, statuses } = runOf(1);
    expect(await playRounds(run, ROUNDS, NEVER)).toBe(1);
    expect(statuses).toEqual([]);
  });

  it('plays none that the caller’s budget does not allow, and says so', async () => {
    const { run } = runOf(4, 2);
    expect(await playRounds(run, ROUNDS, NEVER)).toBe(2);
    expect(run.degraded).toEqual(['Stopped after round 2 of 4: too dear']);
  });

  it('ends early when the models say so, with their reason', async () => {
    const { run, statuses } = runOf(5);
    expect(await playRounds(run, ROUNDS, async (round) => (round === 3 ? 'All drafts stand' : undefined))).toBe(3);
    expect(statuses.at(-1)).toBe('All drafts stand after round 3 of 5');
    expect(run.degraded).toEqual([]);
  });

  it('does not call the last round an early end', async () => {
    const { run, statuses } = runOf(2);
    expect(await playRounds(run, ROUNDS, async () => 'All drafts stand')).toBe(2);
    expect(statuses).toEqual(['Round 2 of 2: refining']);
  });

  it('starts no round that would not fit, and admits it', async () => {
    const { run, clock } = runOf(3);
    const last = await playRounds(run, ROUNDS, async () => {
      // 405 s are spare; after a round of 200 s another needs 240 s of the 205 s left.
      await clock.advance(200_000);
      return undefined;
    });
    expect(last).toBe(2);
    expect(run.degraded).toEqual(['Stopped after round 2 of 3: not enough time for another']);
  });

  it('takes the step before for the first guess', async () => {
    const { run } = runOf(3);
    const nowMs = run.clock.nowMs();
    expect(await playRounds(run, { ...ROUNDS, startedMs: nowMs - 405_000 / 1.2 - 1 }, NEVER)).toBe(1);
    expect(await playRounds(run, { ...ROUNDS, startedMs: nowMs - 405_000 / 1.2 }, NEVER)).toBe(3);
  });

  it('goes by the last round alone: a slow one before it does not count', async () => {
    const { run, clock } = runOf(4);
    const durationsMs = [150_000, 1_000, 1_000];
    const last = await playRounds(run, ROUNDS, async (round) => {
      await clock.advance(durationsMs[round - 2] ?? 0);
      return undefined;
    });
    expect(last).toBe(4);
  });

  it('stops without a word when the run is over', async () => {
    const { run, abort } = runOf(5);
    const last = await playRounds(run, ROUNDS, async (round) => {
      if (round === 3) abort();
      return undefined;
    });
    expect(last).toBe(3);
    expect(run.degraded).toEqual([]);
  });

  it('stops when nobody is worth asking any more: everyone has failed twice', async () => {
    const { run } = runOf(5);
    const contributors = [contributor(2), contributor(1)];
    const last = await playRounds(run, { ...ROUNDS, contributors }, async () => {
      for (const each of contributors) each.failures += 1;
      return undefined;
    });
    expect(last).toBe(2);
  });

  it('passes a failure of the round on', async () => {
    const { run } = runOf(2);
    await expect(playRounds(run, ROUNDS, () => Promise.reject(new Error('store')))).rejects.toThrow('store');
  });
});
