import { useMemo } from 'react';
import { useRun } from '../../run/use-run';
import { usedText } from '../../run/used-text';
import { visibleText } from '../../text/visible-text';
import styles from './call-changes.module.css';
import textStyles from './call-text.module.css';
import { textBefore } from './card-view';
import { wordChanges } from './word-changes';

const TAGS = { same: 'span', added: 'ins', removed: 'del' } as const;

/** The changes of a participant to its earlier text. */
export default function CallChanges({ id, label }: { readonly id: string; readonly label: string }) {
  const call = useRun(({ calls }) => calls.get(id));
  const before = useRun((state) => call && textBefore(state, call));
  const after = useRun((state) => usedText(state, id));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard
    <section className={textStyles.text} aria-label={label} tabIndex={0}>
      {call?.endedAtMs === undefined && <p>The changes can be shown once this text is complete.</p>}
      {call?.endedAtMs !== undefined && before !== undefined && <TextChanges before={before} after={after} />}
    </section>
  );
}

/** A text, with the words that were not in the one before it and those that are not in it any more. */
function TextChanges({ before, after }: { readonly before: string; readonly after: string }) {
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
