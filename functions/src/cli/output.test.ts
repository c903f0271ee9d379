import { printable, printableJson, textTable } from './output';

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

describe('textTable', () => {
  it('lines columns up by field, says where there is nothing, and leaves out columns without anything', () => {
    const keys = [
      {
        id: 'key_1',
        lastUsedAt: 'now',
        models: ['a', 'b'],
        limit: null,
        details: { to: 'x', by: null },
        name: 'laptop',
      },
      { id: 'key_22', lastUsedAt: null, models: null, limit: null, details: {}, name: '日本語' },
    ];
    expect(textTable(keys).split('\n')).toEqual([
      'ID      LAST USED AT  MODELS  DETAILS  NAME',
      'key_1   now           a, b    to=x     laptop',
      'key_22  -             -       -        日本語',
    ]);
  });

  it('counts the columns that a terminal takes for wide characters', () => {
    const rows = ['日本', '🦊', 'e\u0301', 'abcd'].map((NAME) => ({ NAME, END: '|' }));
    expect(textTable(rows).split('\n')).toEqual(['NAME  END', '日本  |', '🦊    |', 'e\u0301     |', 'abcd  |']);
  });

  it('shows texts that would make rows, columns or escape codes of their own by their codes', () => {
    const rows = [{ STATUS: 'revoked', NAME: 'a\nactive   b\u001b[2A' }];
    expect(textTable(rows)).toBe('STATUS   NAME\nrevoked  a\\u000aactive \\u0020\\u0020b\\u001b[2A');
  });
});
