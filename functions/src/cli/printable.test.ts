import { printable, printableJson } from './printable';

describe('printable', () => {
  it.each([
    ['an escape code', 'a\u001b[31mb', 'a\\u001b[31mb'],
    ['the one-character form of it', 'a\u009b31mb', 'a\\u009b31mb'],
    ['line ends', 'a\r\nb\u2028c', 'a\\u000d\\u000ab\\u2028c'],
    ['reversed text', 'a\u202etxt', 'a\\u202etxt'],
    ['invisible characters', 'a\u200bb\u00adc\u3164d', 'a\\u200bb\\u00adc\\u3164d'],
    ['invisible characters beyond 16 bits', 'a\u{e0041}', 'a\\udb40\\udc41'],
    ['half of a surrogate pair', 'a\ud800', 'a\\ud800'],
    ['blanks that look like a column', 'a   active', 'a \\u0020\\u0020active'],
    ['blanks at the ends', ' a ', '\\u0020a\\u0020'],
    ['other blanks', 'a\u00a0b\tc', 'a\\u00a0b\\u0009c'],
    ['accents that pile up over other lines', 'a\u0301\u0302\u0303', 'a\u0301\u0302\\u0303'],
  ])('shows %s by its code', (_, text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  it.each(['laptop of Ada', 'Zoë', '日本語', 'Ünïcode', '🦊', "O'Neil <a@b.c>", 'שלום'])(
    'leaves %s as it is',
    (text) => {
      expect(printable(text)).toBe(text);
    },
  );
});

describe('printableJson', () => {
  it('means the same, on one line of visible characters', () => {
    const value = { name: 'a  b\u001b[31m\u009b\u202e\u{e0041}\ud800\n"日本' };
    const text = printableJson(value);
    expect(text).toBe('{"name":"a  b\\u001b[31m\\u009b\\u202e\\udb40\\udc41\\ud800\\n\\"日本"}');
    expect(JSON.parse(text)).toEqual(value);
  });
});
