import { fakeClock } from '../../../test/support/fake-clock';
import { createCatalog } from '../../models/catalog';
import { Deadline } from '../deadline/deadline';
import type { Contributor } from '../panel/contributors';
import type { Run } from '../run';
import { playRounds } from './rounds';

const model = createCatalog().modelOf('m');
const contributor = (failures = 0): Contributor => ({ seat: { id: 'p1', model, label: 'M' }, text: 'draft', failures });

/** Part of a run that rounds need. */
function runOf(rounds: number, roundsPaid = rounds) {
  const clock = fakeClock();
  const controller = new AbortController();
  const statuses: string[] = [];
  const run = {
    request: { rounds },
    clock,
    deadline: new Deadline(clock, clock.nowMs(), { waves: 1, judges: false, reserveMs: () => 120_000 }),
    budget: { roundFlaw: (round: number) => (round > roundsPaid ? 'too dear' : undefined) },
    signal: controller.signal,
    degraded: [],
    sink: { status: (message: string) => statuses.push(message) },
  } as unknown as Run;
  return { run, clock, controller, statuses };
}

const NO_TIME = (round: number, rounds: number): string[] => [
  `Stopped after round ${round} of ${rounds}: not enough time for another`,
];

describe('playRounds', () => {
  // 405 s are spare; a round is begun where 1.2 times the last one fits.
  it.each<{
    rule: string;
    rounds: number;
    last: number;
    roundsPaid?: number;
    /** Seconds that rounds take, from the second on; the first is what the step before took. */
    seconds?: readonly number[];
    /** The round that ends the run, by the models' word or by its signal. */
    settledIn?: number;
    abortedIn?: number;
    failures?: readonly number[];
    degraded?: readonly string[];
    status?: string;
  }>([
    { rule: 'to the number asked for', rounds: 4, last: 4, status: 'Round 4 of 4: refining' },
    { rule: 'none beyond it', rounds: 1, last: 1 },
    {
      rule: 'none that the budget refuses',
      rounds: 4,
      roundsPaid: 2,
      last: 2,
      degraded: ['Stopped after round 2 of 4: too dear'],
    },
    {
      rule: 'none after the models have settled',
      rounds: 5,
      settledIn: 3,
      last: 3,
      status: 'All stand after round 3 of 5',
    },
    {
      rule: 'the last one without calling it early',
      rounds: 2,
      settledIn: 2,
      last: 2,
      status: 'Round 2 of 2: refining',
    },
    { rule: 'none that would not fit', rounds: 3, seconds: [0, 200], last: 2, degraded: NO_TIME(2, 3) },
    { rule: 'none that the step before shows not to fit', rounds: 3, seconds: [338], last: 1, degraded: NO_TIME(1, 3) },
    { rule: 'those that just fit', rounds: 3, seconds: [337], last: 3 },
    { rule: 'by the length of the last one alone', rounds: 4, seconds: [0, 150, 1, 1], last: 4 },
    { rule: 'none once the run is over, without a word', rounds: 5, abortedIn: 3, last: 3 },
    { rule: 'none once everybody has failed twice', rounds: 5, failures: [2, 1], last: 2 },
  ])('plays $rule', async ({ rounds, last, roundsPaid = rounds, seconds = [], degraded = [], status, ...row }) => {
    const { run, clock, controller, statuses } = runOf(rounds, roundsPaid);
    const contributors = (row.failures ?? [0]).map(contributor);
    const startedMs = clock.nowMs() - (seconds[0] ?? 0) * 1_000;
    const played = await playRounds(run, { title: 'refining', contributors, startedMs }, async (round) => {
      await clock.advance((seconds[round - 1] ?? 0) * 1_000);
      if (round === row.abortedIn) controller.abort();
      if (row.failures) for (const each of contributors) each.failures += 1;
      return round === row.settledIn ? 'All stand' : undefined;
    });
    expect([played, run.degraded]).toEqual([last, degraded]);
    if (status !== undefined) expect(statuses.at(-1)).toBe(status);
  });
});
