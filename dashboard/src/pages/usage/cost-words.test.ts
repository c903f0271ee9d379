import { costWords } from './cost-words';
import { addUpLines, addUpMonths, linesOf, type Month } from './usage-lines';

const line = (id: string, costUsd: number, change: object = {}) => ({
  ...{ id, name: id, requests: 1, promptTokens: 10, completionTokens: 5, costUsd },
  ...change,
});
const month = (models: Month['models'], change: object = {}): Month => ({
  ...{ month: '2026-01', requests: 1, promptTokens: 10, completionTokens: 5, costUsd: 0, models, keys: [], days: [] },
  ...change,
});

describe('the words of a cost', () => {
  it('are the cost of what is priced, also where that is nothing', () => {
    const [free, paid] = linesOf(month([line('free', 0), line('paid', 1.2)]), 'model');
    expect([free && costWords(free), paid && costWords(paid)]).toEqual(['$0.00', '$1.20']);
  });

  it('never are a zero for what is not priced, or for what the router bills', () => {
    const [own, routed] = linesOf(
      month([line('own', 0, { priced: false }), line('routed', 0, { billedBy: 'router' })]),
      'model',
    );
    expect([own && costWords(own), routed && costWords(routed)]).toEqual(['not priced', 'billed by your router']);
  });

  it('say that a part is not priced', () => {
    const first = month([line('own', 0, { priced: false })]);
    const later = month([line('own', 0.5)], { costUsd: 0.5 });
    expect(addUpLines([first, later], 'model').map(costWords)).toEqual(['$0.50, some not priced']);
    expect(addUpLines([later, first], 'model').map(costWords)).toEqual(['$0.50, some not priced']);
    expect(costWords(addUpMonths([first, later]))).toBe('$0.50, some not priced');
  });

  it('tell of a key only what is known of that key', () => {
    const keys = [line('own', 0, { priced: false }), line('free', 0), line('either', 0, { costKnown: false })];
    const words = linesOf(month([line('own', 0, { priced: false }), line('free', 0)], { keys }), 'key').map(costWords);
    expect(words).toEqual(['not priced', '$0.00', 'not known']);
  });
});
