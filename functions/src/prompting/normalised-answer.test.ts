import { normalisedAnswer } from './normalised-answer';

describe('normalisedAnswer', () => {
  it.each([
    ['42.', '42'],
    ['**Forty  Two**!', 'forty two'],
    ['1,234,567', '1234567'],
    ['“Yes”; ', 'yes'],
    ['４２', '42'],
    ['$5', '5'],
    ['a\tb', 'a b'],
  ])('%j is the same as %j', (answer, same) => expect(normalisedAnswer(answer)).toBe(same));

  it.each([
    ['1,5', '15'],
    ['4.2', '42'],
    ['-1', '1'],
    ['x = 1', 'x = 2'],
    ['yes', 'no'],
  ])('%j is not %j', (one, other) => expect(normalisedAnswer(one)).not.toBe(normalisedAnswer(other)));

  it('regression: comes to an end with very many points in the middle', () => {
    expect(normalisedAnswer(`a${'.'.repeat(300_000)}b..`)).toBe(`a${'.'.repeat(300_000)}b`);
  });
});
