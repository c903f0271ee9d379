import { useId, useMemo, useState } from 'react';
import { Button } from '../ui/button';
import { count } from '../ui/format-number';
import { createBlockReader } from './block-reader';
import { BlockViews } from './block-view';
import styles from './markdown.module.css';
import { NotesOf } from './notes';
import { OutsideLink } from './outside-link';
import { useGrowingLimit } from './use-growing-limit';

interface MarkdownProps {
  readonly text: string;
  /** Nothing is added to it any more. */
  readonly isWhole: boolean;
}

/** A text of a model. Whatever it says: nothing is fetched, nothing runs, and it becomes none but a few plain elements. */
export function Markdown({ text, isWhole }: MarkdownProps) {
  const { limit, showAll } = useGrowingLimit(text.length);
  const id = useId();
  const [reader] = useState(createBlockReader);
  const shown = text.slice(0, limit);
  // In a whole text a link may use a name that is given to its address only later.
  const isRead = isWhole && limit >= text.length && text.includes(']:');
  const blocks = useMemo(() => (isRead ? createBlockReader() : reader).read(shown), [isRead, reader, shown]);
  return (
    <div className={styles.text}>
      <NotesOf value={id}>
        <BlockViews blocks={blocks} Link={OutsideLink} />
      </NotesOf>
      {limit < text.length && (
        <div className={styles.more}>
          The first {count(limit)} of {count(text.length)} characters.
          <Button kind="quiet" onPress={showAll}>
            Show all
          </Button>
        </div>
      )}
    </div>
  );
}
