import { printable, printableJson, textTable } from './output';

it.each([
  ['an escape code', 'a\u001b[31mb', 'a\\u001b[31mb'],
  ['the one-character form of it', 'a\u009b31mb', 'a\\u009b31mb'],
  ['line ends', 'a\r\nb\u2028c', 'a\\u000d\\u000ab\\u2028c'],
  ['reversed text', 'a\u202etxt', 'a\\u202etxt'],
  ['invisible characters', 'a\u200bb\u00adc\u3164d\u{e0041}', 'a\\u200bb\\u00adc\\u3164d\\udb40\\udc41'],
  ['half of a surrogate pair', 'a\ud800', 'a\\ud800'],
  [
    'blanks that look like a column, at the ends, or others',
    ' a   b\u00a0c\t ',
    '\\u0020a \\u0020\\u0020b\\u00a0c\\u0009\\u0020',
  ],
  ['accents that pile up over other lines', 'a\u0301\u0302\u0303', 'a\u0301\u0302\\u0303'],
  ['names as they are', 'laptop of Zoë 日本語 🦊 <a@b.c> שלום', 'laptop of Zoë 日本語 🦊 <a@b.c> שלום'],
])('shows %s', (_, text, expected) => expect(printable(text)).toBe(expected));

it('writes JSON that means the same, on one line of visible characters', () => {
  const value = { name: 'a  b\u001b[31m\u009b\u202e\u{e0041}\ud800\n"日本' };
  const text = printableJson(value);
  expect(text).toBe('{"name":"a  b\\u001b[31m\\u009b\\u202e\\udb40\\udc41\\ud800\\n\\"日本"}');
  expect(JSON.parse(text)).toEqual(value);
});

it.each<[string, object[], string[]]>([
  [
    'columns lined up by field, none without anything, and wide characters counted',
    [
      {
        id: 'key_1',
        lastUsedAt: 'now',
        models: ['a', 'b'],
        limit: null,
        details: { to: 'x', by: null },
        name: '日本',
        end: '|',
      },
      { id: 'key_22', lastUsedAt: null, models: null, limit: null, details: {}, name: 'e\u0301', end: '|' },
    ],
    [
      'ID      LAST USED AT  MODELS  DETAILS  NAME  END',
      'key_1   now           a, b    to=x     日本  |',
      'key_22  -             -       -        e\u0301     |',
    ],
  ],
  [
    'texts that would make rows, columns or escape codes of their own by their codes',
    [{ STATUS: 'revoked', NAME: 'a\nactive   b\u001b[2A' }],
    ['STATUS   NAME', 'revoked  a\\u000aactive \\u0020\\u0020b\\u001b[2A'],
  ],
])('a table has %s', (_, rows, lines) => expect(textTable(rows).split('\n')).toEqual(lines));
