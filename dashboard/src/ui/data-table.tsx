import type { ReactNode } from 'react';
import styles from './data-table.module.css';

/** The head of a column. */
export interface DataHead {
  readonly label: string;
  /** Its values are figures: they stand below one another. */
  readonly isNumber?: boolean;
  /** The words are for readers of the screen alone. */
  readonly isHidden?: boolean;
  /** The sorting by this column, where there is one: the present one, and the one that a click makes. */
  readonly sort?: { readonly now: 'ascending' | 'descending' | undefined; readonly onPress: () => void };
}

interface DataTableProps {
  /** The name of the table; a `caption` is its name, too. */
  readonly name?: string;
  readonly caption?: ReactNode;
  readonly heads: readonly DataHead[];
  /** A `tr` for each row: first a `th` that names it, then a `DataCell` for each further column. */
  readonly children: ReactNode;
}

/** A table; on a phone each row is a card, in which every value has the words of its head before it. */
export function DataTable({ name, caption, heads, children }: DataTableProps) {
  return (
    <table className={styles.table} aria-label={name}>
      {caption && <caption>{caption}</caption>}
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head.label} scope="col" aria-sort={head.sort?.now} data-number={head.isNumber || undefined}>
              <Head head={head} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

function Head({ head: { label, isHidden, sort } }: { readonly head: DataHead }) {
  if (isHidden) return <span className="visually-hidden">{label}</span>;
  if (!sort) return label;
  return (
    <button type="button" onClick={sort.onPress}>
      {label}
    </button>
  );
}

interface DataCellProps {
  /** The head of its column. */
  readonly of: DataHead;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** One value of a row. */
export function DataCell({ of: { label, isNumber, isHidden }, className, children }: DataCellProps) {
  return (
    <td data-label={isHidden ? undefined : label} data-number={isNumber || undefined} className={className}>
      {children}
    </td>
  );
}
