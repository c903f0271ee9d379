import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { renderFormula } from './render-formula';

const markupOf = (text: string): string | undefined => {
  const shown = renderFormula(text, true);
  return shown === undefined ? undefined : renderToStaticMarkup(createElement('p', undefined, shown));
};
const tagsOf = (markup = ''): ReadonlySet<string> => new Set(markup.match(/(?<=<)[a-z]+/g));

describe('a formula', () => {
  it.each([
    '\\frac{1}{2}',
    '\\left(\\begin{matrix} a & b \\\\ c & d \\\\ e & f \\\\ g & h \\\\ i & j \\end{matrix}\\right)',
    '\\sqrt{x^2 + \\overbrace{a}^{b}} < \\boxed{1} & \\text{"é"}'.replace(' & ', ' '),
    '\\begin{aligned} a &= b \\\\ &= c \\end{aligned}',
  ])('becomes elements that draw: %s', (text) => {
    const markup = markupOf(text);
    expect(markup).toContain('class="katex-html"');
    expect(
      [...tagsOf(markup)].filter((tag) => !/^(?:p|span|svg|path|line|semantics|annotation|m[a-z]+)$/.test(tag)),
    ).toEqual([]);
    expect(markup).not.toMatch(/ (?:href|src|on\w+|id)=/);
  });

  it('says the same to readers of the screen', () => {
    expect(markupOf('x < y')).toContain('<math');
    expect(markupOf('x < y')).toContain('<annotation encoding="application/x-tex">x &lt; y</annotation>');
  });

  it.each([
    '\\href{javascript:alert(1)}{x}',
    '\\url{https://evil.example}',
    '\\includegraphics{https://evil.example/a.png}',
    '\\htmlId{page}{x}',
    '\\htmlStyle{position: fixed}{x}',
    '\\htmlData{a=b}{x}',
    '\\htmlClass{verdict}{x}',
    '\\rule{1000em}{1000em}',
  ])('cannot do more than draw: %s', (text) => {
    const markup = markupOf(text) ?? '';
    expect(tagsOf(markup)).not.toContain('a');
    expect(tagsOf(markup)).not.toContain('img');
    expect(markup).not.toMatch(/ (?:href|src|id|data-\w+)=|style="position|class="[^"]*verdict|1000em[;"]/);
  });

  it.each([
    '\\frac{1',
    '\\nosuchcommand{x}',
    '\\def\\a#1{#1#1#1#1#1#1#1#1}\\a{\\a{\\a{\\a{x}}}}',
    '\\newcommand{\\x}{y}\\x',
    '\\gdef\\x{1}',
    '{'.repeat(4_000),
    '\\sqrt'.repeat(800),
    '\\frac'.repeat(800),
  ])('that cannot be read or would grow without end is none: %.30s', (text) => {
    expect(markupOf(text)).toBeUndefined();
  });
});
