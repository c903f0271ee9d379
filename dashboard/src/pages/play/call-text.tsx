import { type ReactNode, useCallback, useEffect, useRef } from 'react';
import type { RunState } from '../../run/run-state';
import { useRun } from '../../run/use-run';
import { usedText } from '../../run/used-text';
import { Markdown } from '../../text/markdown';
import { readStructure, StructuredText } from '../../text/structured-text';
import styles from './call-text.module.css';
import { useOnScreen } from './use-on-screen';
import { useThrottledText } from './use-throttled-text';

/** The text of a call as it is written; its end is kept in view while it grows, unless its reader has scrolled up. */
export function CallText({ id, label }: { readonly id: string; readonly label: string }) {
  const select = useCallback((state: RunState) => usedText(state, id), [id]);
  const isOver = useRun(({ calls }) => calls.get(id)?.endedAtMs !== undefined);
  return (
    <FollowedText select={select} label={label} isWhole={isOver}>
      {(text) => <TextOrStructure text={text} isWhole={isOver} />}
    </FollowedText>
  );
}

interface FollowedTextProps {
  readonly select: (state: RunState) => string;
  readonly label: string;
  readonly isWhole: boolean;
  readonly children: (text: string) => ReactNode;
}

function FollowedText({ select, label, isWhole, children }: FollowedTextProps) {
  const [box, isOnScreen] = useOnScreen<HTMLDivElement>();
  const text = useThrottledText(select, isOnScreen || isWhole);
  const isAtEnd = useRef(true);
  const lastTop = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is scrolled when there is more to be seen
  useEffect(() => {
    if (!isWhole && isAtEnd.current) box.current?.scrollTo(0, box.current.scrollHeight);
  }, [text, isWhole]);
  const noteWhere = (): void => {
    const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = box.current ?? {};
    // Text that has come since it was scrolled to the end is no scrolling by its reader, who goes up.
    if (scrollHeight - scrollTop - clientHeight < END_PX) isAtEnd.current = true;
    else if (scrollTop < lastTop.current) isAtEnd.current = false;
    lastTop.current = scrollTop;
    if (box.current) box.current.dataset['scrolled'] = String(!isAtEnd.current);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard
    <section ref={box} className={styles.text} aria-label={label} tabIndex={0} onScroll={noteWhere}>
      {children(text)}
    </section>
  );
}

const END_PX = 24;

function TextOrStructure({ text, isWhole }: { readonly text: string; readonly isWhole: boolean }) {
  const structure = isWhole ? readStructure(text) : undefined;
  return structure === undefined ? <Markdown text={text} isWhole={isWhole} /> : <StructuredText value={structure} />;
}
