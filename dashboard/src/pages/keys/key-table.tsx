import { useState } from 'react';
import { Button } from '../../ui/button';
import { DataTable } from '../../ui/data-table';
import { Panel } from '../../ui/page';
import { SearchField } from '../../ui/search-field';
import { KEY_HEADS, KeyRow, type RowTerms } from './key-row';
import styles from './key-table.module.css';
import { isGone, type Key } from './keys';

/** A look tells fewer keys apart. */
const FILTERED_FROM = 5;

/** The keys, each a row; those that have ended are kept behind a button. */
export function KeyTable({ terms }: { readonly terms: RowTerms }) {
  const [showsGone, setShowsGone] = useState(false);
  const [words, setWords] = useState('');
  const found = terms.keys.filter((key) => hasWords(key, words));
  const gone = found.filter(isGone);
  const shown = showsGone ? found : found.filter((key) => !isGone(key));
  return (
    <div className={styles.frame}>
      {terms.keys.length >= FILTERED_FROM && (
        <SearchField label="Name, last characters, models or endpoints" value={words} onChange={setWords} />
      )}
      {found.length === 0 && <p role="status">No key has these words.</p>}
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

function hasWords({ name, last4, models = [], endpoints = [] }: Key, words: string): boolean {
  const told = [name, last4, ...models, ...endpoints].join('\n').toLowerCase();
  return told.includes(words.trim().toLowerCase());
}

function goneText(gone: readonly Key[]): string {
  const of = (state: Key['state']): number => gone.filter((key) => key.state === state).length;
  return (['revoked', 'expired'] as const)
    .filter((state) => of(state) > 0)
    .map((state) => `${of(state)} ${state}`)
    .join(' and ');
}
