import { createBlockReader } from './block-reader';
import type { Block, Inline } from './blocks';
import { plainText } from './plain-text';

/** The formulas of a text; those on lines of their own in brackets. */
function formulasIn(text: string): string[] {
  const found: string[] = [];
  JSON.stringify(createBlockReader().read(text), (_, part: Block | Inline) => {
    if (part?.is === 'formula') found.push(part.isDisplay ? `[${part.text}]` : part.text);
    return part;
  });
  return found;
}

describe('the formulas of a text', () => {
  it.each([
    ['The root \\(x_1\\) and \\(x_2\\).', ['x_1', 'x_2']],
    ['So:\n\\[\na = b\n- c\n\\]\nDone.', ['[a = b\n- c]']],
    ['$$E = mc^2$$', ['[E = mc^2]']],
    ['As $$x$$ says.', ['[x]']],
    ['$a$, $f(x)$, $n - 1$ and $2x = 4$', ['a', 'f(x)', 'n - 1', '2x = 4']],
    ['$\\text{some words here} = 1$', ['\\text{some words here} = 1']],
    ['**bold \\(a*b*c\\) on**', ['a*b*c']],
    ['*soft $a*b*c$ on*', ['a*b*c']],
    ['| a |\n|---|\n| $x^2$ |', ['x^2']],
    ['- one\n\n  $$\n  x\n  $$\n- two', ['[x]']],
    ['> \\[ y \\]', ['[y]']],
    [
      'So\n\\begin{align*}\na &= b \\\\\nc &= d\n\\end{align*}',
      ['[\\begin{align*}\na &= b \\\\\nc &= d\n\\end{align*}]'],
    ],
  ])('of %j are %j', (text, formulas) => {
    expect(formulasIn(text)).toEqual(formulas);
  });

  it.each([
    'It costs $5 and $10.',
    'From $5 to $10, or US$20-US$30.',
    'A fee of $20 (half of 40$) is due.',
    'Set $HOME and $PATH, then $A=$B.',
    'It is $3.50/month, $30/year.',
    'Between 5$ and 10$ a piece.',
    'I have $20 and some more dollars than 30$ there.',
    'Run `echo $x$` and `\\(y\\)`.',
    '```sh\n$$x$$\n```',
    'An open $$x or \\(y at the end',
    '$$\na\n\nb\n$$',
    'It is \\$x\\$ here.',
    '\\begin{align} a',
  ])('are none in %j', (text) => {
    expect(formulasIn(text)).toEqual([]);
  });

  it('leave a price as it stands', () => {
    expect(plainText('It costs $5 and $10.')).toBe('It costs $5 and $10.');
  });
});

describe('the notes of a text', () => {
  it('are referred to by their labels, and what looks like a mark of a note that there is not is text', () => {
    const [paragraph, note] = createBlockReader().read('So[^a] and [^b] or `[^c]`.\n\n[^a]: It *is*.\n    Really.');
    expect(paragraph).toMatchObject({
      inlines: [{ text: 'So' }, { is: 'note', label: 'a' }, { text: ' and [^b] or ' }, { is: 'code' }, { text: '.' }],
    });
    expect(note).toMatchObject({ is: 'note', label: 'a' });
    expect(plainText('So[^a]\n\n[^a]: It *is*.\n    Really.')).toBe('So[a]\n\n[a] It is.\nReally.');
  });
});
