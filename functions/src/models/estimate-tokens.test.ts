import { createHash } from 'node:crypto';
import { COUNTED_TEXTS } from '../../test/support/counted-texts';
import { FRESH_TEXTS } from '../../test/support/counted-texts-fresh';
import { FURTHER_TEXTS } from '../../test/support/counted-texts-further';
import fc from '../../test/support/properties';
import { estimatePromptTokens, estimateTokens, IMAGE_TOKENS, TOKENS_A_CHARACTER_MAX } from './estimate-tokens';
import { TokenCount } from './token-count';

/** Id of a request. */
const ID = 'b2f1c0ffee'.repeat(3);

/** How far an estimate is from the count, as a share of the count. */
function errorOf({ text, tokens }: { readonly text: string; readonly tokens: number }): number {
  return Math.abs(estimateTokens(text, ID) / tokens - 1);
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

  it('counts nothing for nothing', () => expect(Object.is(estimateTokens('', ID), 0)).toBe(true));

  it.each(['\ud83d', '\udc00', '\ud83d\ud83d', 'a\udc00b'])('counts lone surrogates, %j', (text) => {
    expect(estimateTokens(text, ID)).toBeGreaterThanOrEqual(1);
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

  it('a token for eight characters or twelve bytes at the least, three a character at the most', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const tokens = estimateTokens(text, ID);
        expect(tokens).toBeGreaterThanOrEqual(Math.floor(Math.min(Buffer.byteLength(text) / 12, text.length / 8)));
        expect(tokens).toBeLessThanOrEqual(TOKENS_A_CHARACTER_MAX * text.length);
      }),
    );
  });
});

describe('a long text whose author knows all but the id of the request', () => {
  const LENGTH = 64 * 1024;
  const IDS = Array.from({ length: 500 }, (_, index) => createHash('md5').update(String(index)).digest('hex'));
  /** Estimates under as many ids, in ascending order, as shares of the count of the whole text. */
  const sharesOf = (text: string): number[] => {
    const whole = new TokenCount();
    whole.add(text);
    return IDS.map((id) => estimateTokens(text, id) / whole.fraction).sort((a, b) => a - b);
  };
  const meanOf = (shares: readonly number[]): number => shares.reduce((sum, share) => sum + share, 0) / shares.length;

  it.each([
    { places: 32, characters: 130 },
    { places: 256, characters: 64 },
    { places: 256, characters: 200 },
  ])('blank at $places even places, dense between: counted as what it is', ({ places, characters }) => {
    const step = (LENGTH - characters) / (places - 1);
    const isBlank = (at: number): boolean => at % step < characters;
    const text = Array.from({ length: LENGTH }, (_, at) => (isBlank(at) ? ' ' : 'ᚠ')).join('');
    const shares = sharesOf(text);
    expect(meanOf(shares)).toBeCloseTo(1, 1);
    expect(shares[0]).toBeGreaterThan(2 / 3);
  });

  it('is on average not taken for less than it is, and in 19 of 20 requests not for less than two thirds', () => {
    const blocks = fc.record({
      cheap: fc.constantFrom(' ', 'e', '\n', 'E'),
      dense: fc.constantFrom('ᚠ', '7 ', 'k ', '→', '鬱'),
      /** Shares of the text in thousandths, and its layout. */
      share: fc.integer({ min: 5, max: 950 }),
      characters: fc.constantFrom(8, 64, 256, 1_024),
      seed: fc.integer(),
    });
    fc.assert(
      fc.property(blocks, ({ cheap, dense, share, characters, seed }) => {
        const parts = Array.from({ length: LENGTH / characters }, (_, part) => {
          const drawn = createHash('md5').update(`${seed} ${part}`).digest().readUInt16BE() % 1_000;
          return (drawn < share ? dense : cheap).repeat(characters).slice(0, characters);
        });
        const shares = sharesOf(parts.join(''));
        expect(meanOf(shares)).toBeGreaterThan(0.95);
        expect(shares[IDS.length / 20]).toBeGreaterThan(2 / 3);
      }),
      { numRuns: 40 },
    );
  });

  it('comes to the same whenever it is counted for one request', () => {
    const text = 'a 7 ᚠ'.repeat(2_000);
    expect(estimateTokens(text, ID)).toBe(estimateTokens(text, ID));
    expect(new Set(IDS.map((id) => estimateTokens(text, id))).size).toBeGreaterThan(1);
  });
});

describe('estimatePromptTokens', () => {
  it('counts the system text, four tokens a turn, and the images', () => {
    const image = { mediaType: 'image/png', base64: '' } as const;
    const turns = [{ role: 'user', text: 'word', images: [image] } as const, { role: 'assistant', text: '' } as const];
    const system = 'Answer in French.';
    expect(estimatePromptTokens({ system, turns }, ID)).toBe(
      estimateTokens(system, ID) + estimateTokens('word', ID) + 2 * 4 + IMAGE_TOKENS,
    );
  });

  it('reads the pieces of a turn and not the text they make', () => {
    const turn = { role: 'user' as const, text: '', pieces: ['今天早上', '我去市场'] };
    expect(estimatePromptTokens({ turns: [turn] }, ID)).toBeGreaterThan(8);
  });

  it('counts the schema that is sent beside it', () => {
    const schema = { type: 'object', description: 'fruit '.repeat(10_000) };
    const turns = [{ role: 'user' as const, text: 'word' }];
    const without = estimatePromptTokens({ turns }, ID);
    expect(estimatePromptTokens({ turns }, ID, undefined)).toBe(without);
    expect(estimatePromptTokens({ turns }, ID, schema)).toBe(without + estimateTokens(JSON.stringify(schema), ID));
  });
});
