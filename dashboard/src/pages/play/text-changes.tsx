import { useMemo } from 'react';
import { visibleText } from '../../text/visible-text';
import styles from './text-changes.module.css';
import { wordChanges } from './word-changes';

const TAGS = { same: 'span', added: 'ins', removed: 'del' } as const;

/** A text, with the words that were not in the one before it and those that are not in it any more. */
export default function TextChanges({ before, after }: { readonly before: string; readonly after: string }) {
  const changes = useMemo(() => wordChanges(before, after), [before, after]);
  if (!changes) return <p>It is another text than before: there is too little in common to be compared.</p>;
  if (changes.every(({ is }) => is === 'same')) return <p>It has changed nothing.</p>;
  return (
    <p className={styles.changes} dir="auto">
      {changes.map(({ text, is }, index) => {
        const Tag = TAGS[is];
        // biome-ignore lint/suspicious/noArrayIndexKey: a piece is known by its place
        return <Tag key={index}>{visibleText(text)}</Tag>;
      })}
    </p>
  );
}
