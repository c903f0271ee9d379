import { addressKey, webSource, withoutOrigin } from './web-search';

describe('webSource', () => {
  it.each([
    ['a script', 'javascript:alert(1)'],
    ['data', 'data:text/html,<b>x</b>'],
    ['a file', 'file:///etc/passwd'],
    ['a password', 'https://ada:secret@example.org/'],
    ['no address', 'example.org'],
    ['another type', ['https://example.org/']],
    ['one that is too long', `https://example.org/${'a'.repeat(2_000)}`],
  ])('is none for %s', (_, url) => {
    expect(webSource(url, 'A page')).toBeUndefined();
  });

  it('has a title in one line of plain text, at most 200 characters; else the host', () => {
    const titleOf = (title: unknown) => webSource('https://www.example.org/a', title)?.title;
    expect(titleOf('  A\n\u202epage\u0000 of\u2028ours ')).toBe('A page of ours');
    expect(titleOf('x'.repeat(1_000_000))).toBe(`${'x'.repeat(199)}…`);
    expect(titleOf(`${'x'.repeat(198)}👋👋`)).toBe(`${'x'.repeat(198)}…`);
    expect([titleOf('\u200b \n'), titleOf(undefined), titleOf(7)]).toEqual(Array(3).fill('www.example.org'));
  });

  it('does not tell where its reader comes from, which would name its finder', () => {
    expect(webSource('https://example.org/a?utm_source=openai', '')?.url).toBe('https://example.org/a');
    expect(webSource('https://example.org/a?b=1&utm_source=chatgpt.com', '')?.url).toBe('https://example.org/a?b=1');
    expect(withoutOrigin('([x](https://x.org/?utm_source=openai&b=1))')).toBe('([x](https://x.org/?b=1))');
    expect(withoutOrigin('?utm_source=openair')).toBe('?utm_source=openair');
  });
});

describe('addressKey', () => {
  it.each([
    ['http://www.example.org/a/', 'https://Example.org/a#part'],
    ['https://example.org', 'https://example.org/?utm_medium=mail&utm_source=openai'],
    ['https://example.org/%61', 'https://example.org/%61/'],
  ])('%s and %s are one page', (one, other) => {
    expect(addressKey(one)).toBe(addressKey(other));
  });

  it.each([
    ['https://example.org/a', 'https://example.org/A'],
    ['https://example.org/?a=1', 'https://example.org/?a=2'],
    ['https://example.org/', 'https://example.com/'],
    ['https://example.org/', 'https://example.org:8443/'],
  ])('%s and %s are two', (one, other) => {
    expect(addressKey(one)).not.toBe(addressKey(other));
  });
});
