import { type ReactNode, useState } from 'react';
import { DataCell, type DataHead, DataTable } from '../../ui/data-table';

/** A column of a table. */
export interface Column<Row> {
  readonly id: string;
  readonly label: string;
  /** The value that is sorted by: texts upwards at first, numbers downwards. */
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
  const headOf = (column: Column<Row>, index: number): DataHead => ({
    label: column.label,
    isNumber: index > 0,
    sort: { now: sortOf(column.id, order), onPress: () => press(column) },
  });
  const [naming, ...others] = columns;
  return (
    <DataTable caption={caption} heads={columns.map(headOf)}>
      {sorted.map((row) => (
        <tr key={idOf(row)}>
          <th scope="row">{naming?.cell(row)}</th>
          {others.map((column, index) => (
            <DataCell key={column.id} of={headOf(column, index + 1)}>
              {column.cell(row)}
            </DataCell>
          ))}
        </tr>
      ))}
    </DataTable>
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
