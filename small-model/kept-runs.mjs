import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Runs in a folder, a line each, written as they end: whoever starts again with the same folder goes on behind them. */
export function keepIn(folder) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'runs.jsonl');
  return {
    read: () => (existsSync(file) ? linesOf(readFileSync(file, 'utf8')).map((line) => JSON.parse(line)) : []),
    add: (run) => appendFileSync(file, `${JSON.stringify(run)}\n`),
  };
}

/** Whole lines only: the last may have been cut off. */
function linesOf(text) {
  return text.split('\n').slice(0, -1);
}
