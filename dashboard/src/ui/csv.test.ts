import fc from '../../../functions/test/support/properties';
import { csvOf } from './csv';

describe('CSV', () => {
  it('quotes what holds a comma, a quote or a line end, and ends each line with CR LF', () => {
    expect(
      csvOf([
        ['a', 'b,c', 'd"e', 'f\ng', 'h\ri', ''],
        [1, 0.5],
      ]),
    ).toBe('a,"b,c","d""e","f\ng","h\ri",\r\n1,0.5\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('makes %j harmless', (cell) => {
    expect(parse(csvOf([[cell]]))).toEqual([[`'${cell}`]]);
  });

  it('gives back, when it is read, any table it was made of', () => {
    const cell = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom(...'=+-@\t\r",\n\' a') }));
    const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(table, (rows) => {
        const harmless = rows.map((cells) =>
          cells.map((text) => ('=+-@\t\r'.includes(text[0] ?? ' ') ? `'${text}` : text)),
        );
        expect(parse(csvOf(rows))).toEqual(harmless);
      }),
    );
  });
});

/** Reads CSV as RFC 4180 describes it, cell by cell. */
function parse(text: string): string[][] {
  const rows: string[][] = [[]];
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (let match = cells.exec(text); match; match = cells.exec(text)) {
    const [, quoted, plain = '', end] = match;
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === '\r\n') rows.push([]);
    if (cells.lastIndex === text.length) break;
  }
  expect(cells.lastIndex).toBe(text.length);
  return rows.slice(0, -1);
}
