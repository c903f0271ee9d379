import COUNTED_TEXTS from '../../test/support/counted-texts.json';
import fc from '../../test/support/properties';
import {
  estimatePromptTokens,
  estimateTokens,
  IMAGE_TOKENS,
  TOKENS_A_CHARACTER_MAX,
  tokensIn,
} from './estimate-tokens';

describe('estimateTokens', () => {
  it('is within 30 % of what o200k_base counts for four kinds of text of five, and never off by more than half', () => {
    const errors = COUNTED_TEXTS.map(({ text, tokens }) => Math.abs(estimateTokens(text) / tokens - 1));
    expect(errors.filter((error) => error <= 0.3).length).toBeGreaterThanOrEqual(0.8 * errors.length);
    expect(Math.max(...errors)).toBeLessThanOrEqual(0.5);
  });

  it('is for a text what it is for its pieces, and never above its bound', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (pieces) => {
        const text = pieces.join('');
        expect(pieces.reduce((sum, piece) => sum + tokensIn(piece), 0)).toBe(tokensIn(text));
        expect(estimateTokens(text)).toBeLessThanOrEqual(TOKENS_A_CHARACTER_MAX * text.length);
      }),
    );
  });
});

describe('estimatePromptTokens', () => {
  const turn = { role: 'user', text: 'a word' } as const;
  const base = estimatePromptTokens({ turns: [turn] });

  it('counts four tokens a turn, the images, the system text and a schema beside the prompt', () => {
    const image = { mediaType: 'image/png', base64: '' } as const;
    expect(base).toBe(estimateTokens(turn.text) + 4);
    expect(
      estimatePromptTokens({
        turns: [
          { ...turn, images: [image] },
          { role: 'assistant', text: '' },
        ],
      }),
    ).toBe(base + 4 + IMAGE_TOKENS);
    expect(estimatePromptTokens({ system: '🍅'.repeat(50), turns: [turn] })).toBe(base + 100);
    expect(estimatePromptTokens({ turns: [turn] }, { description: '🍅'.repeat(50) })).toBeGreaterThan(base + 100);
  });

  it('counts an address as an image, a PDF by its size, and what tools returned as what the user shows', () => {
    const pdf = { mediaType: 'application/pdf', base64: 'x'.repeat(150_000) } as const;
    const images = [{ url: 'https://example.test/a.png' }, pdf];
    expect(estimatePromptTokens({ turns: [{ ...turn, images }] })).toBe(base + IMAGE_TOKENS + 3 * 2_000);
    const toolResults = [{ callId: 'a', name: '', text: '', images }];
    expect(estimatePromptTokens({ turns: [{ ...turn, toolResults }] })).toBe(base + IMAGE_TOKENS + 3 * 2_000);
  });

  it('reads the pieces of a turn and not the text they make', () => {
    expect(estimatePromptTokens({ turns: [{ role: 'user', text: '', pieces: ['今天早上', '我去市场'] }] })).toBe(10);
  });
});
