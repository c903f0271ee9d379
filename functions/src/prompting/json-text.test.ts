import fc from '../../test/support/properties';
import { jsonText } from './json-text';

it('a text reads back as it was, on one line, whatever it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const json = jsonText(text);
      expect(JSON.parse(json)).toBe(text);
      expect(json).not.toMatch(/[\n\r\u2028\u2029]|<\//);
    }),
  );
});

it.each([...'\u0000\u001b\u007f\u0085\u00ad\u200b\u200d\u202e\u2028\u2066\ufeff\u{e0041}\u{e0101}'])(
  'the hidden character %j is an escape',
  (character) => expect(jsonText(`a${character}b`)).toMatch(/^"a(?:\\u[0-9a-f]{4}){1,2}b"$/),
);

it('leaves what can be seen alone, and no closing tag whole', () => {
  expect(jsonText('Grüße, 世界 👋🏽 — “x” </response>')).toBe('"Grüße, 世界 👋🏽 — “x” <\\/response>"');
});
