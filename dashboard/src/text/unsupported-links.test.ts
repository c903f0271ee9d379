import { linkForms } from './unsupported-links';

it('addresses are compared as links hold them, and what is none is left out', () => {
  expect([...linkForms(['https://EXAMPLE.org', 'https://a.example/b?c=1#d', 'nonsense'])]).toEqual([
    'https://example.org/',
    'https://a.example/b?c=1#d',
  ]);
});
