import fc from '../../test/support/properties';
import { fitsPattern } from './model-policy';

describe('fitsPattern', () => {
  it.each([
    ['gpt-4o', 'gpt-4o', true],
    ['gpt-4o', 'gpt-4', false],
    ['gpt-4', 'gpt-4o', false],
    ['GPT-4o', 'gpt-4o', false],
    ['gpt-4o', 'gpt-*', true],
    ['gpt-', 'gpt-*', true],
    ['my-gpt-4o', 'gpt-*', false],
    ['gpt-4o-mini', 'gpt-*-mini', true],
    ['gpt-mini', 'gpt-*-mini', false],
    ['gpt-4o-mini-2', 'gpt-*-mini', false],
    ['owner/model', 'owner/*', true],
    ['owner/model', '*/model', true],
    ['a-b-c-b', 'a*b', true],
    ['aba', 'ab*ba', false],
    ['abba', 'ab*ba', true],
    ['xaxbxcx', '*a*b*c*', true],
    ['xaxcxbx', '*a*b*c*', false],
    ['anything', '*', true],
    ['', '*', true],
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
