import { HARD_STOP_MS } from '../../src/ensemble/deadline/deadline';
import { STRATEGY_NAMES, type StrategyName } from '../../src/ensemble/strategies/strategies';
import { type FakeClock, fakeClock } from '../support/fake-clock';
import { type Play, type Played, playRun, requestId } from '../support/played-run';
import { failing, PLAIN, type Script } from '../support/scripted-models';

/** Participants that say nothing, beside others that take two seconds for each text. */

const QUICK = ['gpt-4o', 'gpt-4.1'];
const QUICK_MS = 2_000;
const NEVER_MS = 1_000_000;
/** A request as chat clients make it: without an explanation. */
const CHAT = { rounds: 1, explain: false } as const;

/** Models of these names take so long, others two seconds; their drafts are prose, which cannot be compared. */
const slow =
  (names: readonly string[], delayMs = NEVER_MS): Script =>
  (call) => ({
    ...PLAIN(call),
    ...(call.purpose === 'draft' && { text: 'It is a berry.\nIts seeds are inside.' }),
    delayMs: names.includes(call.providerModel) ? delayMs : QUICK_MS,
  });

/** Plays a run to its end, and tells the seconds until its answer was there. */
async function play(
  asked: Pick<Play, 'models' | 'script'> & Partial<Play>,
  clock: FakeClock = fakeClock(),
): Promise<Played & { readonly seconds: number }> {
  const strategy = asked.strategy ?? 'competitive_refinement';
  const startedMs = clock.monotonicMs();
  const run = await clock.settle(playRun({ id: requestId(strategy), ...CHAT, ...asked, strategy, clock }), 600_000);
  return { ...run, seconds: (clock.monotonicMs() - startedMs) / 1_000 };
}

const TOO_SLOW = expect.stringContaining('did not answer in round 1 (too slow)');

/** Strategies in which all participants begin at once; others ask some of them alone, for whom nobody stands in. */
const SIDE_BY_SIDE: readonly StrategyName[] = [
  'competitive_refinement',
  'collaborative_synthesis',
  'expert_panel',
  'chain_of_thought',
];

describe.each([
  { kind: 'plain', hangs: 'gpt-4o-mini', secondsMax: 20 },
  { kind: 'thinking', hangs: 'o3', secondsMax: 50 },
])('one $kind participant hangs, the others answer after 2 s', ({ hangs, secondsMax }) => {
  it.each(SIDE_BY_SIDE)(`%s: the answer is there within ${secondsMax} s, wherever it is seated`, async (strategy) => {
    for (const models of [
      [hangs, ...QUICK],
      [...QUICK, hangs],
      ['gpt-4o', hangs],
    ]) {
      const { ok, seconds, degraded } = await play({ strategy, models, script: slow([hangs]) });
      expect({ ok, degraded }).toEqual({ ok: true, degraded: [TOO_SLOW] });
      expect(seconds).toBeLessThanOrEqual(secondsMax);
    }
  });

  it('of sixteen, and after one has failed: the same', async () => {
    const fails = 'claude-haiku-4-5';
    const script: Script = (call) =>
      call.providerModel === fails ? { ...failing('not_found'), delayMs: QUICK_MS } : slow([hangs])(call);
    const sixteen = [...Array<string>(15).fill('gpt-4o'), hangs];
    expect((await play({ models: sixteen, script })).seconds).toBeLessThanOrEqual(secondsMax);
    expect((await play({ models: ['gpt-4o', fails, hangs], script })).seconds).toBeLessThanOrEqual(secondsMax);
  });

  it('in a later round: its last text stands', async () => {
    const hangsLater: Script = (call) => (call.purpose === 'revise' ? slow([hangs])(call) : slow([])(call));
    const { seconds, candidates } = await play({ models: [...QUICK, hangs], rounds: 2, script: hangsLater });
    expect(candidates).toHaveLength(3);
    expect(seconds).toBeLessThanOrEqual(QUICK_MS / 1_000 + secondsMax);
  });
});

it('one call alone that the run can do without has 45 s where texts are there: a red team, an opposition', async () => {
  for (const strategy of ['red_team_blue_team', 'debate_tournament'] as const) {
    const { ok, seconds } = await play({ strategy, models: ['gpt-4o', 'o3'], script: slow(['o3']) });
    expect([ok, seconds]).toEqual([true, 2 + 45 + 2]);
  }
});

it.each(STRATEGY_NAMES)('%s: when all hang the run ends with one error, in time', async (strategy) => {
  for (const models of [QUICK, ['o3', 'o4-mini', 'gpt-4o'], Array<string>(16).fill('o3')]) {
    const { ok, answer, seconds } = await play({ strategy, models, script: slow([...models, 'umpire-9']) });
    expect([ok, answer]).toEqual([false, '']);
    expect(seconds).toBeLessThanOrEqual(HARD_STOP_MS / 1_000);
  }
});

it.each(STRATEGY_NAMES)('%s: when all but one hang, also for the answer, that one writes it', async (strategy) => {
  const models = ['gpt-4o', 'o3', 'o4-mini'];
  const { ok, seconds } = await play({ strategy, models, script: slow(['o3', 'o4-mini', 'umpire-9']) });
  expect(ok).toBe(true);
  expect(seconds).toBeLessThanOrEqual(HARD_STOP_MS / 1_000);
});

it.each([14_999, 15_000, 15_001])('a text that comes after %d ms is heard, or said to be missing', async (delayMs) => {
  const { ok, candidates, degraded } = await play({
    models: [...QUICK, 'o1-mini'],
    script: slow(['o1-mini'], delayMs),
  });
  expect([ok, candidates.length + degraded.length]).toEqual([true, 3]);
});

it.each([-3_600_000, 3_600_000])('a clock that is set by %d ms in the middle changes nothing', async (byMs) => {
  const clock = fakeClock();
  clock.world.after(5_000, () => clock.setBack(byMs));
  const { ok, seconds } = await play({ models: [...QUICK, 'gpt-4o-mini'], script: slow(['gpt-4o-mini']) }, clock);
  expect([ok, seconds]).toEqual([true, 15 + 2]);
});
