import { FORMER_RULE, figuresOf, PANELS, RULE, type SimulatedRun, simulateRuns } from '../../bench/simulated-waves';
import { thinksFirst } from '../../src/models/catalog';

/** Runs whose models take log-normal times, and of whose calls one in a hundred hangs: `npm run bench -- --only waiting`. */

const RUNS = 2_000;

function runsOf(panel: string, isFirst: boolean, rule = RULE): SimulatedRun[] {
  return simulateRuns(rule, { models: PANELS[panel] ?? [], isFirst, runs: RUNS });
}

/** Milliseconds for which each call that was not heard had to be waited for, by the rule in words, where no pace is known. */
function boundsOf({ calls }: SimulatedRun) {
  const slowestMs = Math.max(...calls.filter(({ isHeard }) => isHeard).map(({ takesMs }) => takesMs));
  return calls
    .filter(({ isHeard }) => !isHeard)
    .map(({ model, takesMs }) => ({
      takesMs,
      boundMs: thinksFirst(model)
        ? Math.max(45_000, Math.min(240_000, 4 * slowestMs), 2 * slowestMs)
        : Math.max(15_000, 2 * slowestMs),
    }));
}

/** True if two thirds of the calls have answered, of two one. */
function hasQuorum({ calls }: SimulatedRun): boolean {
  const answered = calls.filter(({ isHeard }) => isHeard).length;
  return answered >= (calls.length === 2 ? 1 : Math.ceil((2 * calls.length) / 3));
}

it.each(Object.keys(PANELS))('%s: no text is given up before its time, and none is waited for longer', (panel) => {
  const runs = runsOf(panel, true).filter(hasQuorum);
  expect(runs.length).toBeGreaterThan(0.99 * RUNS);
  for (const run of runs) {
    const missed = boundsOf(run);
    const heardMs = run.calls.filter(({ isHeard }) => isHeard).map(({ takesMs }) => takesMs);
    expect(missed.filter(({ takesMs, boundMs }) => takesMs < boundMs)).toEqual([]);
    expect(run.draftsMs).toBeLessThanOrEqual(Math.max(...heardMs, ...missed.map(({ boundMs }) => boundMs)));
  }
});

it('of three plain drafts as many are lost as the odds say', () => {
  // The third is lost where it takes more than 15 s, and more than twice the slower of two others that do not hang.
  const stepMs = 10;
  let odds = 0;
  for (let ms = stepMs / 2; ms < 120_000; ms += stepMs) {
    const slowerIsThere = below(ms + stepMs / 2) ** 2 - below(ms - stepMs / 2) ** 2;
    odds += slowerIsThere * (1 - below(Math.max(15_000, 2 * ms)));
  }
  const expected = 0.99 ** 2 * odds;
  const { lostPlain } = figuresOf(runsOf('three plain', true));
  expect(Math.abs(lostPlain - expected)).toBeLessThan(5 * Math.sqrt(expected / (3 * RUNS)));
});

/** The odds that a plain model takes less: log-normal, median 8 s, sigma a half. */
function below(ms: number): number {
  return (1 + erf(Math.log(ms / 8_000) / (0.5 * Math.SQRT2))) / 2;
}

/** Abramowitz and Stegun 7.1.26: to seven digits. */
function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const sum = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return Math.sign(x) * (1 - sum * Math.exp(-x * x));
}

it.each([
  // Before, one of these that hangs made a wave a minute long; one that thinks made it five.
  { panel: 'two plain', isFirst: true, p99: 30, plain: 0.08, thinking: 0 },
  { panel: 'two plain', isFirst: false, p99: 30, plain: 0.03, thinking: 0 },
  { panel: 'three plain', isFirst: true, p99: 35, plain: 0.05, thinking: 0 },
  { panel: 'three plain', isFirst: false, p99: 35, plain: 0.02, thinking: 0 },
  { panel: 'five plain', isFirst: true, p99: 45, plain: 0.03, thinking: 0 },
  { panel: 'two plain, one thinking', isFirst: true, p99: 120, plain: 0.01, thinking: 0.5 },
  { panel: 'two plain, one thinking', isFirst: false, p99: 170, plain: 0.01, thinking: 0.06 },
  { panel: 'three thinking', isFirst: true, p99: 241, plain: 0, thinking: 0.03 },
  { panel: 'three thinking', isFirst: false, p99: 240, plain: 0, thinking: 0.03 },
])('$panel, the first of a process: $isFirst; drafts are there within $p99 s, 99 times in 100', (row) => {
  const { panel, isFirst, p99, plain, thinking } = row;
  const now = figuresOf(runsOf(panel, isFirst));
  const former = figuresOf(runsOf(panel, isFirst, FORMER_RULE));
  expect(now.draftsP99).toBeLessThanOrEqual(p99);
  expect(now.runP99).toBeLessThan(former.runP99);
  if (!Number.isNaN(now.lostPlain)) expect(now.lostPlain).toBeLessThanOrEqual(plain);
  if (!Number.isNaN(now.lostThinking)) expect(now.lostThinking).toBeLessThanOrEqual(thinking);
});
