import { COUNTED_TEXTS } from '../../test/support/counted-texts';
import { FRESH_TEXTS } from '../../test/support/counted-texts-fresh';
import { FURTHER_TEXTS } from '../../test/support/counted-texts-further';
import fc from '../../test/support/properties';
import { estimatePromptTokens, estimateTokens, IMAGE_TOKENS, TOKENS_A_CHARACTER_MAX } from './estimate-tokens';

/** How far an estimate is from the count, as a share of the count. */
function errorOf({ text, tokens }: { readonly text: string; readonly tokens: number }): number {
  return Math.abs(estimateTokens(text) / tokens - 1);
}

/** The texts of a list again and again, up to a length. */
function longTextOf(texts: readonly { readonly text: string; readonly tokens: number }[], characters: number) {
  const all = texts.map(({ text }) => `${text}\n\n`).join('');
  const times = Math.ceil(characters / all.length);
  // The break between two texts is a token.
  return { text: all.repeat(times), tokens: times * texts.reduce((sum, { tokens }) => sum + tokens + 1, 0) };
}

describe('estimateTokens', () => {
  it.each([...COUNTED_TEXTS, ...FURTHER_TEXTS])('$kind: within a quarter of what o200k_base counts, $tokens', (row) => {
    expect(errorOf(row)).toBeLessThanOrEqual(0.25);
  });

  it('texts it was not made for: nine of ten within a quarter, none off by more than two fifths', () => {
    const errors = FRESH_TEXTS.map(errorOf);
    expect(errors.filter((error) => error <= 0.25).length).toBeGreaterThanOrEqual(0.9 * errors.length);
    expect(Math.max(...errors)).toBeLessThanOrEqual(0.4);
  });

  it.each([
    { kind: 'of one kind', texts: COUNTED_TEXTS.filter(({ kind }) => kind === 'Chinese') },
    { kind: 'of all kinds', texts: COUNTED_TEXTS },
    { kind: 'of code', texts: FURTHER_TEXTS.filter(({ kind }) => ['Rust', 'Go', 'SQL', 'C'].includes(kind)) },
  ])('a text $kind that is read in places only: within a quarter', ({ texts }) => {
    for (const characters of [5_000, 50_000, 1_000_000]) {
      expect(errorOf(longTextOf(texts, characters))).toBeLessThanOrEqual(0.25);
    }
  });

  it('counts nothing for nothing', () => expect(Object.is(estimateTokens(''), 0)).toBe(true));

  it.each(['\ud83d', '\udc00', '\ud83d\ud83d', 'a\udc00b'])('counts lone surrogates, %j', (text) => {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(1);
  });
});

describe('no text is taken for almost nothing', () => {
  /** Each a run of its own: small letters, capitals, digits, blanks, signs, and the other scripts. */
  const RUNS = [
    'e',
    'k',
    'E',
    '7',
    ' ',
    '\t',
    '\n',
    '-',
    'é',
    'ế',
    'д',
    'α',
    'ש',
    'ع',
    'क',
    'ก',
    'ក',
    '。',
    'の',
    'ア',
    '的',
    '한',
    '→',
    'ꙮ',
    'ᚠ',
    '😀',
  ];
  const units = fc.oneof(fc.constantFrom(...RUNS), fc.string({ unit: 'binary', minLength: 1, maxLength: 2 }));
  const texts = fc
    .array(fc.tuple(units, fc.integer({ min: 1, max: 3_000 })), { minLength: 1, maxLength: 6 })
    .map((parts) => parts.map(([unit, times]) => unit.repeat(times)).join(''));

  it('a token for twelve bytes at the least, three a character at the most', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const tokens = estimateTokens(text);
        expect(tokens).toBeGreaterThanOrEqual(Math.floor(Buffer.byteLength(text) / 12));
        expect(tokens).toBeLessThanOrEqual(TOKENS_A_CHARACTER_MAX * text.length);
      }),
    );
  });

  it.each([
    { hidden: '7#', kind: 'signs' },
    { hidden: '鬱', kind: 'seldom characters' },
    { hidden: 'ᚠ', kind: 'runes' },
  ])('$kind where it does not look: at least an eighth of the characters, a twelfth of the bytes', ({ hidden }) => {
    // The 32 places of 128 characters that are read of a mebicharacter, blank; all else as many tokens as bytes.
    const length = 1024 * 1024;
    const seen = (at: number): boolean => at % ((length - 128) / 31) < 129;
    const text = Array.from({ length }, (_, at) => (seen(at) ? ' ' : (hidden[at % hidden.length] ?? ''))).join('');
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(length / 8);
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(Math.floor(Buffer.byteLength(text) / 12));
  });
});

describe('estimatePromptTokens', () => {
  it('counts the system text, four tokens a turn, and the images', () => {
    const image = { mediaType: 'image/png', base64: '' } as const;
    const turns = [{ role: 'user', text: 'word', images: [image] } as const, { role: 'assistant', text: '' } as const];
    const system = 'Answer in French.';
    expect(estimatePromptTokens({ system, turns })).toBe(
      estimateTokens(system) + estimateTokens('word') + 2 * 4 + IMAGE_TOKENS,
    );
  });

  it('reads the pieces of a turn and not the text they make', () => {
    const turn = { role: 'user' as const, text: '', pieces: ['今天早上', '我去市场'] };
    expect(estimatePromptTokens({ turns: [turn] })).toBeGreaterThan(8);
  });
});
