import { type ReactNode, useState } from 'react';
import styles from './sorted-table.module.css';

/** A column of a table. */
export interface Column<Row> {
  readonly id: string;
  readonly label: string;
  /** What is sorted by: texts upwards at first, numbers downwards. */
  readonly of: (row: Row) => string | number;
  readonly cell: (row: Row) => ReactNode;
}

interface SortedTableProps<Row> {
  readonly caption: ReactNode;
  /** The first one names the row. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
  /** The column that it is sorted by at first. */
  readonly sortedBy: string;
}

interface Order {
  readonly by: string;
  readonly isUpwards: boolean;
}

/** A table that is sorted by the column whose head is pressed; on a phone each row is a card. */
export function SortedTable<Row>({ caption, columns, rows, idOf, sortedBy }: SortedTableProps<Row>) {
  const [order, setOrder] = useState<Order>({ by: sortedBy, isUpwards: false });
  const sorted = sort(rows, columns, order);
  const press = (column: Column<Row>): void => {
    const [first] = rows;
    const isText = first !== undefined && typeof column.of(first) === 'string';
    setOrder({ by: column.id, isUpwards: order.by === column.id ? !order.isUpwards : isText });
  };
  return (
    <table className={styles.table}>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.id} scope="col" aria-sort={sortOf(column.id, order)}>
              <button type="button" onClick={() => press(column)}>
                {column.label}
              </button>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {sorted.map((row) => (
          <tr key={idOf(row)}>
            {columns.map(({ id, label, cell }, index) =>
              index === 0 ? (
                <th key={id} scope="row">
                  {cell(row)}
                </th>
              ) : (
                <td key={id} data-label={label}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function sortOf(id: string, { by, isUpwards }: Order): 'ascending' | 'descending' | undefined {
  if (id !== by) return undefined;
  return isUpwards ? 'ascending' : 'descending';
}

function sort<Row>(rows: readonly Row[], columns: readonly Column<Row>[], { by, isUpwards }: Order): Row[] {
  const column = columns.find(({ id }) => id === by);
  if (!column) return [...rows];
  const sorted = rows.toSorted((a, b) => compare(column.of(a), column.of(b)));
  return isUpwards ? sorted : sorted.reverse();
}

function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a).localeCompare(String(b));
}
