import { createBlockReader } from './block-reader';
import { plainText } from './plain-text';

const TEXT = `# A title

Some *words* with \`code\`, a [link](https://a.example/b) and
a second line.

- one
- two
  - inner

  of two

1. first
2. second

> said
> by somebody

| a | b |
|---|---|
| 1 | **2** |

\`\`\`ts
const a = 1;

const b = 2;
\`\`\`

<div>markup</div>

Setext
===

---

- [x] done
- [ ] open

[^1]: A note of
two lines.

So
\\[
a_1 * b_1
- c * d
\\]
and $$x$$ with \\(y_2 * z_2\\) in a line.[^1]

$$
\\frac{1}{2}
$$

| l | c | r |
|:--|:-:|--:|
| $a$ | \\(b\\) | 3 |

The end.`;

describe('a text that grows', () => {
  it('is read as if it had been there at once, wherever it was cut', () => {
    const whole = createBlockReader().read(TEXT);
    for (const size of [1, 2, 3, 7, 40]) {
      const reader = createBlockReader();
      for (let end = size; end < TEXT.length; end += size) reader.read(TEXT.slice(0, end));
      expect(reader.read(TEXT)).toEqual(whole);
    }
    expect(JSON.stringify(whole)).toContain('"is":"formula","text":"a_1 * b_1');
  });

  it('keeps the blocks that cannot change as they are', () => {
    const reader = createBlockReader();
    const [title, paragraph] = reader.read(TEXT.slice(0, 200));
    const later = reader.read(TEXT);
    expect(later[0]).toBe(title);
    expect(later[1]).toBe(paragraph);
  });

  it('keeps the items of a list and the rows of a table that are as they were, while it goes on', () => {
    const reader = createBlockReader();
    const items = (text: string) => reader.read(text).flatMap((block) => (block.is === 'list' ? block.items : []));
    const [first, second] = items('- one *thing*\n- two');
    const [firstLater, secondLater] = items('- one *thing*\n- two more\n- three');
    expect(firstLater).toBe(first);
    expect(secondLater).not.toBe(second);
    const rows = (text: string) => reader.read(text).flatMap((block) => (block.is === 'table' ? block.rows : []));
    const [row] = rows('| a | b |\n|---|---|\n| 1 | 2 |\n');
    expect(rows('| a | b |\n|---|---|\n| 1 | 2 |\n| 3 |')[0]).toBe(row);
  });

  it('is read anew when it begins otherwise than before', () => {
    const reader = createBlockReader();
    reader.read(TEXT);
    expect(reader.read('Another one.\n\nAnd more.')).toEqual(createBlockReader().read('Another one.\n\nAnd more.'));
  });

  it('has the same blocks with line ends of Windows', () => {
    expect(createBlockReader().read(TEXT.replaceAll('\n', '\r\n'))).toEqual(createBlockReader().read(TEXT));
  });
});

describe('a text without its marks', () => {
  it('is what a reader sees of it', () => {
    expect(
      plainText('# A *title*\n\n1. one\n2. **two**\n\n| a | b |\n|-|-|\n| 1 | 2 |\n\n`x` &lt; [y](https://y.example)'),
    ).toBe('A title\n\n1. one\n2. two\n\na\tb\n1\t2\n\nx < y');
  });
});
