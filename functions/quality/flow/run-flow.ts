import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { flowCurves } from './flow-curves';
import { type Cell, type Measured, measured, RUNS, readingCells, steadfastCells } from './flow-grid';
import { arbiterTable, correlationTable, memberTable } from './flow-tables';

/**
 * Plays scripted members through the engine, tens of thousands of runs without a network, and writes into `folder` what the
 * strategies made of them: `flow.md` and the curves. Returns the tables.
 */
export async function runFlow(folder: string, told: (line: string) => void): Promise<string> {
  const cells = [...steadfastCells(), ...readingCells()];
  told(`${cells.length * RUNS} runs with scripted models: nothing is called, nothing is paid.`);
  const found = await all(cells, told);
  const [steadfast, reading] = [found.slice(0, -readingCells().length), found.slice(-readingCells().length)];
  const tables = [
    '### Arbiters\n',
    arbiterTable(steadfast),
    '\n### Members that are wrong together, under an arbiter who counts\n',
    correlationTable(steadfast, 'majority'),
    '\n### Members who read each other\n',
    memberTable(reading),
    '',
  ].join('\n');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'flow.md'), tables);
  for (const along of ['accuracy', 'correlation'] as const) {
    writeFileSync(join(folder, `flow-${along}.svg`), flowCurves(steadfast, along));
  }
  return tables;
}

/** One after the other: they share a processor. */
async function all(cells: readonly Cell[], told: (line: string) => void): Promise<Measured[]> {
  const found: Measured[] = [];
  for (const cell of cells) {
    found.push(await measured(cell));
    if (found.length % 28 === 0) told(`${found.length} of ${cells.length} cells`);
  }
  return found;
}
