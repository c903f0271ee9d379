import { STRATEGY_NAMES } from '../../src/ensemble/strategies/strategies';
import { CORRELATIONS, type Measured, USUAL } from './flow-grid';
import { ARBITER_NAMES, type ArbiterName, MEMBER_NAMES } from './readers';

/** The share of right answers by strategy and arbiter, of independent members who stay with what they think. */
export function arbiterTable(found: readonly Measured[]): string {
  return table('strategy', ARBITER_NAMES, (strategy, arbiter) =>
    found.find(
      (cell) =>
        cell.strategy === strategy &&
        cell.arbiter === arbiter &&
        cell.odds.accuracy === USUAL.accuracy &&
        cell.odds.correlation === 0,
    ),
  );
}

/** The same for one arbiter, by how much members are right and wrong together. */
export function correlationTable(found: readonly Measured[], arbiter: ArbiterName): string {
  return table('strategy', CORRELATIONS.map(String), (strategy, correlation) =>
    found.find(
      (cell) =>
        cell.strategy === strategy &&
        cell.arbiter === arbiter &&
        cell.odds.accuracy === USUAL.accuracy &&
        String(cell.odds.correlation) === correlation,
    ),
  );
}

/** The same by how members react to each other's texts, under an arbiter who counts. */
export function memberTable(found: readonly Measured[]): string {
  return table('strategy', MEMBER_NAMES, (strategy, member) =>
    found.find((cell) => cell.strategy === strategy && cell.member === member),
  );
}

function table<Column extends string>(
  head: string,
  columns: readonly Column[],
  cellOf: (strategy: string, column: Column) => Measured | undefined,
): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line([head, ...columns]),
    `|${'---|'.repeat(columns.length + 1)}`,
    ...STRATEGY_NAMES.map((strategy) =>
      line([`\`${strategy}\``, ...columns.map((column) => percent(cellOf(strategy, column)?.share))]),
    ),
  ].join('\n');
}

function percent(share: number | undefined): string {
  return share === undefined ? '–' : (100 * share).toFixed(1);
}
