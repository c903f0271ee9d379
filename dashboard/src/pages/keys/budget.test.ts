import { budgetOf } from './budget';

describe('a budget', () => {
  it.each([
    ['', undefined],
    ['  ', undefined],
    ['5', 5],
    [' 12.50 ', 12.5],
    ['0.001', 0.001],
    ['1,50', null],
    ['1e3', null],
    ['-1', null],
    ['.5', null],
    ['$5', null],
  ])('written as %j is %j', (text, dollars) => {
    expect(budgetOf(text)).toBe(dollars);
  });
});
