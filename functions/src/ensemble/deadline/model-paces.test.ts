import { createCatalog } from '../../models/catalog';
import { lagMs, type ModelPaces, paceOf, patienceMs } from './model-paces';

const { modelOf } = createCatalog();

/** Paces that are known for one model or none. */
function known(p95Ms: number | undefined): ModelPaces {
  return { note: () => undefined, p95Ms: () => p95Ms, p95Tokens: () => undefined };
}

describe('paceOf', () => {
  it('says nothing before the third answer', () => {
    expect([paceOf([]), paceOf([10, 20]), paceOf([10, 20, 30])]).toEqual([undefined, undefined, 30]);
  });

  it('gives the 95th percentile whatever the order', () => {
    // Of 1 to 20, 95 % are at most 19.
    expect(paceOf(Array.from({ length: 20 }, (_, index) => ((index * 7) % 20) + 1))).toBe(19);
  });

  it('compares durations as numbers, not as words', () => expect(paceOf([9, 10, 100])).toBe(100));
});

describe('patienceMs and lagMs', () => {
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
});
