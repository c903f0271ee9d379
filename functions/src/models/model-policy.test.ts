import fc from '../../test/support/properties';
import { fitsPattern } from './model-policy';

describe('fitsPattern', () => {
  it.each([
    ['GPT-4o', 'gpt-4o', false],
    ['owner/model', 'owner/*', true],
    ['owner/model', '*/model', true],
    ['a.b', 'a?b', false],
    ['acb', 'a.b', false],
    ['ab', '(a|b)+', false],
  ])('%j and %j: %j', (id, pattern, expected) => expect(fitsPattern(id, [pattern])).toBe(expected));

  it('takes any of several patterns, and none where there are none', () => {
    expect(fitsPattern('claude-x', ['gpt-*', 'claude-*'])).toBe(true);
    expect(fitsPattern('gemini-x', ['gpt-*', 'claude-*'])).toBe(false);
    expect(fitsPattern('gpt-x', [])).toBe(false);
  });

  it('agrees with a regular expression that says the same, over all short texts', () => {
    const short = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 7 });
    fc.assert(
      fc.property(short, short, (id, pattern) => {
        const expected = new RegExp(`^${pattern.replaceAll('*', '[^]*')}$`).test(id);
        expect(fitsPattern(id, [pattern])).toBe(expected);
      }),
    );
  });
});
