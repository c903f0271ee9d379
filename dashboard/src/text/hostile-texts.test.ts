import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { HOSTILE_TEXTS } from '../../test/support/hostile-texts';
import { Markdown } from './markdown';

/** Every tag that a text may become, with the attributes that it may have. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  div: ['dir', 'class', 'role', 'aria-label', 'tabindex', 'data-note', 'id'],
  p: ['data-piece'],
  h4: ['data-level'],
  pre: ['dir', 'tabindex', 'data-language'],
  code: ['dir', 'data-piece'],
  blockquote: ['dir'],
  ul: ['dir'],
  ol: ['dir', 'start'],
  li: ['data-task'],
  table: [],
  thead: [],
  tbody: [],
  tr: [],
  th: ['data-align'],
  td: ['data-align'],
  hr: [],
  br: [],
  strong: [],
  em: [],
  del: [],
  bdi: ['class'],
  span: ['class', 'role', 'aria-label'],
  sup: [],
  a: ['href', 'target', 'rel', 'aria-label'],
  // Of the page itself: a link that asks first, “Show all”, and what copies code.
  button: ['class', 'type', 'tabindex', 'data-rac', 'data-react-aria-pressable', 'id', 'aria-label'],
  svg: [
    'width',
    'height',
    'viewBox',
    'fill',
    'stroke',
    'stroke-width',
    'stroke-linecap',
    'stroke-linejoin',
    'aria-hidden',
    'focusable',
  ],
  path: ['d'],
};
/** React writes every `<` of a text as `&lt;`, so that one which stands in what it made begins a tag. */
const TAG = /<(?<end>\/?)(?<name>[^\s/>]*)(?<attributes>(?:[^>"]|"[^"]*")*)>/g;
const ATTRIBUTE = /(?<name>[^\s=/"]+)(?:="(?<value>[^"]*)")?/g;

const markupOf = (text: string): string => renderToStaticMarkup(createElement(Markdown, { text, isWhole: true }));

describe('a text of a model', () => {
  it('is one of many hostile ones', () => {
    expect(HOSTILE_TEXTS.length).toBeGreaterThan(150);
  });

  it.each(HOSTILE_TEXTS.map((text) => ({ text, name: JSON.stringify(text.slice(0, 60)) })))(
    'becomes plain elements and no others: $name',
    ({ text }) => {
      const unexpected: string[] = [];
      for (const { groups: { name = '', end = '', attributes = '' } = {} } of markupOf(text).matchAll(TAG)) {
        const allowed = ALLOWED[name];
        if (!allowed) unexpected.push(name);
        if (end === '') unexpected.push(...attributeFlaws(name, attributes, allowed ?? []));
      }
      expect(unexpected).toEqual([]);
    },
  );

  it.each([
    ['![cat](https://cats.example/1.png)', 'image: cat (cats.example)'],
    ['<b>bold</b>', '&lt;b&gt;bold&lt;/b&gt;'],
    ['[x](javascript:alert)', 'x (no link: javascript:alert)'],
    ['a\u202eb', 'a⟨U+202E⟩b'],
    ['[https://good.example](https://evil.example)', '(evil.example)'],
    ['[good.example](https://evil.example)', '(evil.example)'],
    [`a\n\n${'- '.repeat(30)}\n\n**b**`, '<hr/><p><strong>b</strong></p>'],
    [`a\n${'> '.repeat(30)}b`, '<div class="literal"><p>a\n&gt; '],
    ['<div>\n  two\n</div>', '<div class="literal"><p>&lt;div&gt;\n  two\n'],
  ])('%j says %s', (text, words) => {
    expect(markupOf(text)).toContain(words);
  });
});

function attributeFlaws(tag: string, attributes: string, allowed: readonly string[]): string[] {
  return [...attributes.matchAll(ATTRIBUTE)].flatMap(({ groups: { name = '', value = '' } = {} }) => {
    if (!allowed.includes(name)) return [`${tag} ${name}`];
    return name === 'href' && !/^(?:https?:\/\/|mailto:|#)/.test(value) ? [`${tag} ${value}`] : [];
  });
}
