import { exactMoment } from '../../ui/format-moment';
import { limitLines } from './limit-lines';

const MONTH_END = '2026-02-01T00:00:00.000Z';

describe('the limits of a key in words', () => {
  it('are none where there are none, a budget that is not spent being no limit yet', () => {
    expect(limitLines({ spentUsd: 4 }, MONTH_END)).toEqual([]);
    expect(limitLines({ spentUsd: 4, budgetUsd: 5 }, MONTH_END)).toEqual([]);
  });

  it('name models, endpoints, requests per minute, and a budget that is spent', () => {
    const key = {
      models: ['demo-*', 'gpt-x'],
      endpoints: ['models' as const],
      requestsPerMinute: 7,
      budgetUsd: 5,
      spentUsd: 5,
    };
    expect(limitLines(key, MONTH_END)).toEqual([
      'Models: demo-*, gpt-x',
      'Endpoints: models',
      '7 requests a minute',
      `Its budget of $5.00 is spent: requests are refused until ${exactMoment(Date.UTC(2026, 1, 1))}`,
    ]);
  });
});
