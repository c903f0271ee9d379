import { createCatalog } from '../../models/catalog';
import { AnswerTimes, lagMs, type ModelPaces, paceOf, patienceMs } from './answer-times';

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
  { model: 'o3', p95: undefined, patience: 300_000, lag: 300_000 },
  { model: 'o3', p95: 20_000, patience: 40_000, lag: 60_000 },
  { model: 'o3', p95: 40_000, patience: 80_000, lag: 80_000 },
  { model: 'o3', p95: 200_000, patience: 300_000, lag: 300_000 },
  { model: 'o3', p95: 300_000, patience: 300_000, lag: 390_000 },
  { model: 'gpt-4o', p95: undefined, patience: 0, lag: 60_000 },
  { model: 'gpt-4o', p95: 40_000, patience: 0, lag: 60_000 },
  { model: 'gpt-4o', p95: 100_000, patience: 0, lag: 130_000 },
])(
  '$model, which usually takes $p95: waited for $patience ms, given up after $lag ms',
  ({ model, p95, ...expected }) => {
    const row = modelOf(model);
    expect({ patience: patienceMs(known(p95), row), lag: lagMs(known(p95), row) }).toEqual(expected);
  },
);
