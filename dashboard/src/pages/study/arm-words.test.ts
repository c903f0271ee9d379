import { differenceWords, firstTextWords, percentWords, priceWords } from './arm-words';

describe('the words of a study', () => {
  it('tell a share in percent with its interval', () => {
    expect(percentWords({ mean: 0.8104, low: 0.74, high: 0.879 })).toBe('81.0 % [74, 88]');
  });

  it('tell differences in points with their sign, and losses as plainly as wins', () => {
    const between = (mean: number, verdict: string | null) =>
      differenceWords({ mean, low: mean - 0.05, high: mean + 0.05, verdict });
    expect(between(0.042, 'wins')).toBe('+4.2 [−0.8, +9.2] wins');
    expect(between(-0.1, 'loses')).toBe('−10.0 [−15.0, −5.0] loses');
    expect(between(0.0004, null)).toBe('0.0 [−5.0, +5.0]');
    expect(differenceWords(null)).toBe('–');
  });

  it('say why a right answer has no price', () => {
    const all = { mean: 1, low: 1, high: 1 };
    expect(priceWords({ usdPerCorrect: 0.0042, correct: all })).toBe('$0.0042');
    expect(priceWords({ usdPerCorrect: null, correct: all })).toBe('not priced');
    expect(priceWords({ usdPerCorrect: null, correct: { mean: 0, low: 0, high: 0.1 } })).toBe('none was right');
  });

  it('tell the first text in seconds', () => {
    expect(firstTextWords({ p50: 420, p95: 1_800 })).toBe('0.42 / 1.80 s');
    expect(firstTextWords({ p50: null, p95: null })).toBe('–');
  });
});
