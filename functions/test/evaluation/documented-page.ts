import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** docs/evaluations.md, as the tests read it. */
export const EVALUATION_PAGE = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'evaluations.md'), 'utf8');

/** The rows of the page's one table whose header begins with these cells; of every cell the text, without code marks. */
export function tableOf(...header: readonly string[]): string[][] {
  const tables = EVALUATION_PAGE.split('\n\n').map((block) => block.split('\n').filter((line) => line.startsWith('|')));
  const found = tables.filter(([head = '']) => header.every((cell, at) => cellsOf(head)[at] === cell));
  const [table, ...others] = found;
  if (!table || others.length > 0) throw new Error(`${found.length} tables begin with ${header.join(', ')}`);
  return table.slice(2).map(cellsOf);
}

function cellsOf(line: string): string[] {
  const cells = line.slice(1, -1).replaceAll('`', '').split('|');
  return cells.map((cell) => cell.trim());
}
