import { capLines } from './month-lines';
import type { UsageLine } from './usage-store';

const line = (id: string, requests = 1): UsageLine => {
  return { id, name: `Name of ${id}`, requests, promptTokens: 10, completionTokens: 20, costNanoUsd: 300 };
};
const listed = (count: number) => new Set(Array.from({ length: count }, (_, index) => `listed-${index}`));

describe('capLines', () => {
  it('gives every new id a line until there are 200, and adds up the rest as one', () => {
    const others = { requests: 5, promptTokens: 20, completionTokens: 40, costNanoUsd: 600 };
    expect(capLines([line('a'), line('b', 2), line('c', 3)], listed(199), 'Other models')).toEqual([
      line('a'),
      { id: 'other', name: 'Other models', ...others },
    ]);
  });

  it('adds to the line of a listed id, however many there are', () => {
    expect(capLines([line('new'), line('listed-7')], listed(30_000), 'Other keys')).toEqual([
      { ...line('other'), name: 'Other keys' },
      line('listed-7'),
    ]);
  });

  it('counts what is called "other" with the others, also while there is room', () => {
    expect(capLines([line('other'), line('a')], new Set(['other']), 'Other models')).toEqual([
      { ...line('other'), name: 'Other models' },
      line('a'),
    ]);
  });
});
