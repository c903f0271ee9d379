import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One row of docs/configuration.md. */
export interface DocumentedSetting {
  readonly name: string;
  readonly defaultText: string;
  readonly values: string;
  readonly effect: string;
  readonly example: string;
}

const PAGE = join(__dirname, '..', '..', '..', 'docs', 'configuration.md');

/** The rows of the tables of docs/configuration.md; throws when a row has other cells than its header. */
export function documentedSettings(): DocumentedSetting[] {
  const rows = readFileSync(PAGE, 'utf8').matchAll(/^\| `([A-Z0-9_]+)`.*$/gm);
  return [...rows].map(([row, name = '']) => {
    const cells = row.split('|').slice(2, -1);
    if (cells.length !== 4) throw new Error(`docs/configuration.md, ${name}: ${cells.length + 1} cells instead of 5`);
    const [defaultText = '', values = '', effect = '', example = ''] = cells.map((cell) => cell.trim());
    return { name, defaultText, values, effect, example };
  });
}
