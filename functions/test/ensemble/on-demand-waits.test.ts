import { fakeClock } from '../support/fake-clock';
import { playRun, requestId } from '../support/played-run';
import type { Script } from '../support/scripted-models';

/** Waits of a run on demand for a model that never answers, and for one that is slow. */

const MODELS = ['ash-1', 'birch-1', 'cedar-1'];
const NEVER = 1_000_000;

interface Row {
  readonly rule: string;
  /** Seconds that each model's drafts take. Default: 2. */
  readonly seconds: Readonly<Record<string, number>>;
  readonly stragglers?: { readonly quorum?: number; readonly graceMs?: number };
  readonly drafts: readonly string[];
  /** Seconds of the whole run. */
  readonly lasts: number;
  readonly degraded: readonly string[];
  /** Drafts differ unless the run is to end with the first two. */
  readonly same?: true;
}

const slow = (model: string): string => `${model} did not answer in round 1 (too slow)`;

/** Drafts that take so long; all other calls take a second. The arbiter is ash. */
function scriptOf({ seconds, same }: Row): Script {
  return ({ purpose, providerModel }) => {
    if (purpose !== 'draft') return { text: 'An answer.', delayMs: 1_000 };
    const answer = same ? 42 : MODELS.indexOf(providerModel);
    return {
      text: `PANEL: yes\nAnswer: ${answer}`.slice(providerModel === 'ash-1' ? 0 : 11),
      delayMs: 1_000 * (seconds[providerModel] ?? 2),
    };
  };
}

it.each<Row>([
  {
    rule: 'the second never answers',
    seconds: { 'birch-1': NEVER },
    drafts: ['ash-1', 'birch-1', 'cedar-1'],
    lasts: 18,
    degraded: [slow('birch-1')],
  },
  {
    rule: 'the first never answers',
    seconds: { 'ash-1': NEVER },
    drafts: ['ash-1', 'birch-1', 'cedar-1'],
    lasts: 48,
    degraded: [slow('ash-1')],
  },
  {
    rule: 'the first is slow',
    seconds: { 'ash-1': 40 },
    drafts: ['ash-1', 'birch-1'],
    lasts: 40,
    degraded: [],
    same: true,
  },
  {
    rule: 'the third never answers',
    seconds: { 'cedar-1': NEVER },
    drafts: ['ash-1', 'birch-1', 'cedar-1'],
    lasts: 18,
    degraded: [slow('cedar-1')],
  },
  {
    rule: 'the second is slow',
    seconds: { 'birch-1': 12 },
    drafts: ['ash-1', 'birch-1'],
    lasts: 12,
    degraded: [],
    same: true,
  },
  {
    rule: 'the second is slower than a quorum of two allows to give up',
    seconds: { 'birch-1': 50 },
    stragglers: { quorum: 2 },
    drafts: ['ash-1', 'birch-1'],
    lasts: 50,
    degraded: [],
    same: true,
  },
  {
    rule: 'the caller waits for nobody',
    seconds: { 'birch-1': 3, 'cedar-1': 3 },
    stragglers: { quorum: 1, graceMs: 0 },
    drafts: ['ash-1', 'birch-1', 'cedar-1'],
    lasts: 5,
    degraded: [slow('birch-1'), slow('cedar-1')],
  },
])('$rule', async (row) => {
  const clock = fakeClock();
  const startedMs = clock.nowMs();
  const run = playRun({
    id: requestId(row.rule),
    ...{ strategy: 'competitive_refinement', models: MODELS, arbiter: 'ash-1', rounds: 1, explain: false, clock },
    script: scriptOf(row),
    fields: { auto: true, ...(row.stragglers && { stragglers: row.stragglers }) },
  });
  const { ok, calls, degraded } = await clock.settle(run, 500_000);
  expect(ok).toBe(true);
  expect(calls.filter(({ purpose }) => purpose === 'draft').map(({ providerModel }) => providerModel)).toEqual(
    row.drafts,
  );
  expect(degraded).toEqual(row.degraded);
  expect((clock.nowMs() - startedMs) / 1_000).toBe(row.lasts);
});

it('where neither of two ever answers both are asked again, and the run ends in time', async () => {
  const clock = fakeClock();
  const startedMs = clock.nowMs();
  const row: Row = { rule: '', seconds: { 'ash-1': NEVER, 'birch-1': NEVER }, drafts: [], lasts: 0, degraded: [] };
  const run = playRun({
    id: requestId('neither'),
    ...{
      strategy: 'competitive_refinement',
      models: MODELS.slice(0, 2),
      arbiter: 'ash-1',
      rounds: 1,
      explain: false,
      clock,
    },
    script: scriptOf(row),
    fields: { auto: true },
  });
  const { ok, calls } = await clock.settle(run, 600_000);
  expect([ok, calls.length]).toEqual([false, 4]);
  expect(clock.nowMs() - startedMs).toBeLessThanOrEqual(525_000);
});

it('a first draft that is nothing but its first line is none: both are asked again where the other was too slow', async () => {
  const clock = fakeClock();
  const run = playRun({
    id: requestId('empty'),
    ...{ strategy: 'competitive_refinement', models: MODELS.slice(0, 2), arbiter: 'ash-1', rounds: 1, explain: false },
    clock,
    script: ({ prompt, purpose, providerModel }) => {
      if (prompt.turns.at(-1)?.text.includes('"PANEL: no"')) return { text: 'PANEL: no', delayMs: 1_000 };
      return { text: `A ${purpose}.`, delayMs: providerModel === 'birch-1' ? NEVER : 1_000 };
    },
    fields: { auto: true },
  });
  const { ok, calls } = await clock.settle(run, 500_000);
  expect([ok, calls.map(({ purpose, providerModel }) => `${purpose} ${providerModel}`)]).toEqual([
    true,
    ['draft ash-1', 'draft birch-1', 'draft ash-1', 'draft birch-1', 'answer ash-1'],
  ]);
});
