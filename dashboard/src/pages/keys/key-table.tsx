import { useState } from 'react';
import { Button } from '../../ui/button';
import { DataTable } from '../../ui/data-table';
import { Panel } from '../../ui/page';
import { KEY_HEADS, KeyRow, type RowTerms } from './key-row';
import styles from './key-table.module.css';
import { isGone, type Key } from './keys';

/** The keys, each a row; those that have ended are kept behind a button. */
export function KeyTable({ terms }: { readonly terms: RowTerms }) {
  const [showsGone, setShowsGone] = useState(false);
  const gone = terms.keys.filter(isGone);
  const shown = showsGone ? terms.keys : terms.keys.filter((key) => !isGone(key));
  return (
    <div className={styles.frame}>
      {shown.length > 0 && (
        <Panel>
          <DataTable name="Your keys" heads={Object.values(KEY_HEADS)}>
            {shown.map((key) => (
              <KeyRow key={key.id} shown={key} terms={terms} />
            ))}
          </DataTable>
        </Panel>
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
