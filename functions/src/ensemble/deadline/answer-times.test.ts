import { createCatalog } from '../../models/catalog';
import { AnswerTimes, LONE_CALL, leewayMs, leewayOf, type ModelPaces, paceOf, patienceMs } from './answer-times';

const { modelOf } = createCatalog();

/** Notes texts of a model for a user, each with its duration. */
function note(paces: ModelPaces, modelId: string, ...durationsMs: number[]): ModelPaces {
  for (const durationMs of durationsMs) paces.note(modelId, durationMs, 10 * durationMs);
  return paces;
}

/** Paces that are known for one model or none. */
function known(p95Ms: number | undefined): ModelPaces {
  return { note: () => undefined, p95Ms: () => p95Ms, p95Tokens: () => undefined };
}

it.each([
  { rule: 'nothing before the third', figures: [10, 20], pace: undefined },
  { rule: 'the slowest of three, compared as numbers', figures: [9, 10, 100], pace: 100 },
  { rule: 'of 1 to 20 the 19th, whatever the order', figures: shuffled(20), pace: 19 },
])('the pace of a model: $rule', ({ figures, pace }) => expect(paceOf(figures)).toBe(pace));

function shuffled(count: number): number[] {
  return Array.from({ length: count }, (_, index) => ((index * 7) % count) + 1);
}

describe('AnswerTimes', () => {
  it('forgets all but the latest 32 of a model', () => {
    expect(note(new AnswerTimes().of('a'), 'm', 999, 999, ...Array<number>(30).fill(5)).p95Ms('m')).toBe(999);
    expect(note(new AnswerTimes().of('a'), 'm', 999, 999, ...Array<number>(31).fill(5)).p95Ms('m')).toBe(5);
  });

  it('keeps models and users apart, lengths too; made-up ids push nothing of another user out', () => {
    const times = new AnswerTimes();
    const alice = note(times.of('alice'), 'm', 1, 2, 3);
    for (let index = 0; index < 5_000; index += 1) note(times.of('mallory'), `made-up ${index}`, 1, 1, 1);
    note(times.of('mallory'), 'm', 500, 500, 500);
    note(alice, 'other', 70, 80, 90);
    expect([alice.p95Ms('m'), alice.p95Tokens('m'), alice.p95Ms('other')]).toEqual([3, 30, 90]);
    expect(times.of('newcomer').p95Ms('m')).toBeUndefined();
  });
});

it.each([
  { model: 'o3', p95: undefined, patience: 300_000 },
  { model: 'o3', p95: 20_000, patience: 40_000 },
  { model: 'o3', p95: 200_000, patience: 300_000 },
  { model: 'gpt-4o', p95: undefined, patience: 0 },
  { model: 'gpt-4o', p95: 100_000, patience: 0 },
])('$model, which usually takes $p95, is waited for $patience ms in silence', ({ model, p95, patience }) => {
  expect(patienceMs(known(p95), modelOf(model))).toBe(patience);
});

it.each([
  { model: 'gpt-4o', seconds: [], slowest: 2, leeway: 15 },
  { model: 'gpt-4o', seconds: [], slowest: 9, leeway: 18 },
  { model: 'gpt-4o', seconds: [10, 10, 20], slowest: 2, leeway: 26 },
  { model: 'gpt-4o', seconds: [10, 10, 20], slowest: 20, leeway: 40 },
  // Its draft in this run is known before its pace is.
  { model: 'gpt-4o', seconds: [30], slowest: 2, leeway: 39 },
  { model: 'o3', seconds: [], slowest: 2, leeway: 45 },
  { model: 'o3', seconds: [], slowest: 20, leeway: 80 },
  { model: 'o3', seconds: [], slowest: 70, leeway: 240 },
  { model: 'o3', seconds: [], slowest: 130, leeway: 260 },
  { model: 'o3', seconds: [10, 10], slowest: 2, leeway: 45 },
  { model: 'o3', seconds: [50, 60], slowest: 2, leeway: 78 },
  { model: 'o3', seconds: [10, 10, 10], slowest: 2, leeway: 15 },
  { model: 'o3', seconds: [100, 100, 100], slowest: 2, leeway: 130 },
  { model: 'gpt-4o', seconds: [], slowest: 2, usual: LONE_CALL, leeway: 45 },
])('$model, which took $seconds, has $leeway s where the slowest answered after $slowest', (row) => {
  const paces = note(new AnswerTimes().of('a'), row.model, ...row.seconds.map((seconds) => 1_000 * seconds));
  const { leastMs, times } = leewayOf(paces, modelOf(row.model), row.usual);
  expect(leewayMs({ leastMs, times }, 1_000 * row.slowest)).toBe(1_000 * row.leeway);
});
