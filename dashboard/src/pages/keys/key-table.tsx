import { useState } from 'react';
import { Button } from '../../ui/button';
import { KeyRow, type RowTerms } from './key-row';
import styles from './key-table.module.css';
import { isGone, type Key } from './keys';

const COLUMNS = ['Name', 'Key', 'Created', 'Last used', 'This month', 'Status'];

/** The keys, each a row, on a phone a card; those that have ended are kept behind a button. */
export function KeyTable({ terms }: { readonly terms: RowTerms }) {
  const [showsGone, setShowsGone] = useState(false);
  const gone = terms.keys.filter(isGone);
  const shown = showsGone ? terms.keys : terms.keys.filter((key) => !isGone(key));
  return (
    <div className={styles.frame}>
      {shown.length > 0 && (
        <table className={styles.table} aria-label="Your keys">
          <thead>
            <tr>
              {COLUMNS.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((key) => (
              <KeyRow key={key.id} shown={key} terms={terms} />
            ))}
          </tbody>
        </table>
      )}
      {gone.length > 0 && (
        <Button kind="quiet" onPress={() => setShowsGone(!showsGone)} aria-expanded={showsGone}>
          {showsGone ? 'Hide' : 'Show'} {goneText(gone)}
        </Button>
      )}
    </div>
  );
}

function goneText(gone: readonly Key[]): string {
  const of = (state: Key['state']): number => gone.filter((key) => key.state === state).length;
  return (['revoked', 'expired'] as const)
    .filter((state) => of(state) > 0)
    .map((state) => `${of(state)} ${state}`)
    .join(' and ');
}
