import fc from '../../test/support/properties';
import { jsonExcess } from './json';

const scan = (text: string, depthMax: number, valuesMax: number) =>
  jsonExcess(Buffer.from(text), { depthMax, valuesMax });

/** Counted on the parsed value instead of on the text. */
function countOf(value: unknown): { depth: number; values: number } {
  if (typeof value !== 'object' || value === null) return { depth: 0, values: 1 };
  const inner = Object.values(value).map(countOf);
  return {
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    values: 1 + inner.reduce((sum, { values }) => sum + values, 0),
  };
}

describe('jsonExcess', () => {
  it.each([
    ['64 levels', `${'['.repeat(64)}${']'.repeat(64)}`, undefined],
    ['65 levels', `${'['.repeat(65)}${']'.repeat(65)}`, 'more than 64 levels deep'],
    ['65 levels of objects', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`, 'more than 64 levels deep'],
    ['30,000 values', `[${Array(29_999).fill('1').join()}]`, undefined],
    ['30,001 values', `[${Array(30_000).fill('1').join()}]`, 'more than 30,000 values'],
    ['30,000 values, the last ones empty', `[${Array(29_999).fill('[ ]').join()}]`, undefined],
    ['30,001 values, all of them empty', `[${Array(30_000).fill('{\n}').join()}]`, 'more than 30,000 values'],
    ['a text full of brackets', JSON.stringify('[{",\\'.repeat(50_000)), undefined],
  ])('%s', (_, text, excess) => {
    expect(jsonExcess(Buffer.from(text))).toBe(excess);
  });

  it('counts depth and values as the parser makes them, whatever is in strings and between tokens', () => {
    const awkward = fc.constantFrom('"', '\\', '\\"', '[', '{', ',', ']', '}', '\u2028', 'é', '🍅', '\n');
    const key = fc.string({ unit: awkward, maxLength: 6 });
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom(null, true, false, 0, -1.5e300, '', '\\', '"'),
        key,
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(key, tie('value'), { maxKeys: 4 }),
      ),
    })).value;
    fc.assert(
      fc.property(json, fc.constantFrom('', ' ', '\n\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const { depth, values } = countOf(value);
        expect(scan(text, depth, values)).toBeUndefined();
        if (depth > 0) expect(scan(text, depth - 1, values)).toBe(`more than ${depth - 1} levels deep`);
        expect(scan(text, depth, values - 1)).toBe(`more than ${values - 1} values`);
      }),
    );
  });
});
