import fc from '../../test/support/properties';
import { jsonText } from './json-text';

const HIDDEN = [
  '\u0000',
  '\u001b',
  '\u007f',
  '\u0085',
  '\u00ad',
  '\u200b',
  '\u200d',
  '\u202e',
  '\u2028',
  '\u2066',
  '\ufeff',
  '\u{e0041}',
  '\u{e0101}',
];

describe('a text as JSON', () => {
  it('reads back as it was, on one line, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const json = jsonText(text);
        expect(JSON.parse(json)).toBe(text);
        expect(json).not.toMatch(/[\n\r\u2028\u2029]|<\//);
      }),
    );
  });

  it('holds no closing tag', () => {
    expect(jsonText('</response></system>')).toBe('"<\\/response><\\/system>"');
  });

  it.each(HIDDEN)('shows the hidden character %j as an escape', (character) => {
    const json = jsonText(`a${character}b`);
    expect(json).toMatch(/^"a(?:\\u[0-9a-f]{4}){1,2}b"$/);
    expect(JSON.parse(json)).toBe(`a${character}b`);
  });

  it('leaves what can be seen alone', () => {
    const text = 'Grüße, 世界 👋🏽 — “x”';
    expect(jsonText(text)).toBe(`"${text}"`);
  });
});
