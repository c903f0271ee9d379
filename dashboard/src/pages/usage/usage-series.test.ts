import fc from '../../../../functions/test/support/properties';
import { MEASURES, measureOf } from './measure';
import type { Month } from './usage-lines';
import { OTHER_ID, seriesOf } from './usage-series';

const natural = fc.integer({ min: 0, max: 1_000_000 });
const line = fc.record({
  id: fc.constantFrom(...Array.from({ length: 12 }, (_, index) => `line-${index}`)),
  name: fc.string(),
  requests: natural,
  promptTokens: natural,
  completionTokens: natural,
  costUsd: natural,
});
const lines = fc.uniqueArray(line, { selector: ({ id }) => id, maxLength: 12 });
const months = fc.array(
  lines.map((models): Month => {
    const sum = (of: 'requests' | 'promptTokens' | 'completionTokens' | 'costUsd') =>
      models.reduce((total, each) => total + each[of], 0);
    const [requests, promptTokens] = [sum('requests'), sum('promptTokens')];
    const [completionTokens, costUsd] = [sum('completionTokens'), sum('costUsd')];
    return { month: '2026-01', requests, promptTokens, completionTokens, costUsd, models, keys: models, days: [] };
  }),
  { minLength: 1, maxLength: 6 },
);

describe('the series of the bars', () => {
  it('add up to the total of each month, whatever is shown', () => {
    fc.assert(
      fc.property(months, fc.constantFrom(...MEASURES), fc.constantFrom('model', 'key'), (all, { id, of }, by) => {
        const series = seriesOf(all, { show: id, by });
        const stacks = all.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
        expect(stacks).toEqual(all.map(of));
        expect(series.length).toBeLessThanOrEqual(8);
      }),
    );
  });

  it('are the largest seven, largest first, then the rest', () => {
    const models = Array.from({ length: 9 }, (_, index) => ({
      ...{ id: `m${index}`, name: `M${index}`, requests: 1, promptTokens: 0, completionTokens: 0 },
      costUsd: index + 1,
    }));
    const month = {
      month: '2026-01',
      requests: 9,
      promptTokens: 0,
      completionTokens: 0,
      costUsd: 45,
      models,
      keys: [],
      days: [],
    };
    const series = seriesOf([month], { show: 'cost', by: 'model' });
    expect(series.map(({ id, total }) => [id, total])).toEqual([
      ...[8, 7, 6, 5, 4, 3, 2].map((index) => [`m${index}`, index + 1]),
      [OTHER_ID, 3],
    ]);
    expect(series.at(-1)?.name).toBe('Other (2)');
  });

  it('leave out what comes to nothing', () => {
    const none = { id: 'm', name: 'M', requests: 1, promptTokens: 5, completionTokens: 5, costUsd: 0 };
    const month = { month: '2026-01', ...none, models: [none], keys: [none], days: [] };
    expect(seriesOf([month], { show: 'cost', by: 'model' })).toEqual([]);
    expect(seriesOf([month], { show: 'tokens', by: 'model' }).map(({ total }) => total)).toEqual([10]);
    expect(measureOf('tokens').of(none)).toBe(10);
  });
});
