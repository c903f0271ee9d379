import { addressesIn } from './addresses-in-text';

describe('addressesIn', () => {
  it.each([
    ['none', 'See example.org or mail a@b.org, ftp://x.org/y and javascript:alert(1).', []],
    ['one in a sentence', 'As in https://example.org/a.b?c=d, and so on.', ['https://example.org/a.b?c=d']],
    ['one at the end', 'Look: “http://example.org/”.', ['http://example.org/']],
    ['a link in Markdown', '[A page](https://example.org/a_(b)) is here', ['https://example.org/a_(b)']],
    ['links in brackets', '([example.org](https://example.org/a?x=1)).', ['https://example.org/a?x=1']],
    [
      'bold and code',
      '**https://example.org/a** `https://example.org/b`',
      ['https://example.org/a', 'https://example.org/b'],
    ],
    ['capitals and other scripts', 'HTTPS://Example.org/Ä。', ['HTTPS://Example.org/Ä。']],
    ['text that runs on', '<https://a.org/1>https://b.org/2|', ['https://a.org/1', 'https://b.org/2']],
    ['none that cannot be read', 'https://[broken and http://:80', []],
  ])('%s', (_, text, addresses) => {
    expect(addressesIn(text)).toEqual(addresses);
  });
});
