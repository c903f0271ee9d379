import fc from '../../test/support/properties';
import { TokenCount } from './token-count';
import { kindOf, RUN_RATES } from './token-rates';

function countOf(...pieces: readonly string[]): number {
  const count = new TokenCount();
  for (const piece of pieces) count.add(piece);
  return count.tokens;
}

describe('TokenCount', () => {
  it('comes to the same however a text is cut, and never goes down', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (pieces) => {
        const count = new TokenCount();
        let before = 0;
        for (const piece of pieces) {
          count.add(piece);
          expect(count.tokens).toBeGreaterThanOrEqual(before);
          before = count.tokens;
        }
        expect(count.tokens).toBe(countOf(pieces.join('')));
        expect(Number.isInteger(count.tokens)).toBe(true);
      }),
    );
  });

  it('counts what stands between two places of a piece', () => {
    const count = new TokenCount();
    count.add('今天早上我去市场', 2, 4);
    expect(count.tokens).toBe(countOf('早上'));
  });

  it('takes a capital for the beginning of its word, and a blank before a number for a token', () => {
    expect(countOf('Summer '.repeat(100))).toBeLessThan(countOf('S ummer '.repeat(100)));
    expect(countOf('word 1'.repeat(100))).toBeGreaterThan(countOf('word1'.repeat(100)) + 90);
  });

  it('takes letters that English seldom has, and those with accents, for more', () => {
    expect(countOf('kajak')).toBeGreaterThan(countOf('cacao'));
    expect(countOf('télé')).toBeGreaterThan(countOf('tele'));
  });
});

describe('the kinds of characters', () => {
  it('have each run of the rates', () => {
    const runs = Array.from({ length: 0x1_0000 }, (_, code) => kindOf(code).run);
    expect(new Set(runs)).toEqual(new Set(Object.keys(RUN_RATES)));
  });

  it.each([
    ['z', 'word'],
    ['Z', 'capitals'],
    ['0', 'digits'],
    ['\t', 'blanks'],
    ['\r', 'newlines'],
    ['~', 'signs'],
    ['ß', 'word'],
    ['×', 'marks'],
    ['ế', 'word'],
    ['Ω', 'greek'],
    ['Ж', 'cyrillic'],
    ['ש', 'hebrew'],
    ['ع', 'arabic'],
    ['த', 'indic'],
    ['ก', 'thai'],
    ['ក', 'khmer'],
    ['ሀ', 'rare'],
    ['—', 'marks'],
    ['∑', 'symbols'],
    ['、', 'wide'],
    ['の', 'hiragana'],
    ['ア', 'katakana'],
    ['的', 'han'],
    ['한', 'hangul'],
    ['\ud83d', 'surrogates'],
    ['！', 'wide'],
  ])('%s is of %s', (character, run) => expect(kindOf(character.charCodeAt(0)).run).toBe(run));
});
