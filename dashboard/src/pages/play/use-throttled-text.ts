import { useEffect, useState } from 'react';
import type { RunState } from '../../run/run-state';
import { useRunStore } from '../../run/use-run';

/** A text that is read faster than this is not read: it is drawn at most eight times a second. */
const DRAWN_EVERY_MS = 125;
/** The interval for text that cannot be seen: it is drawn for screen readers and searches. */
const UNSEEN_EVERY_MS = 1_000;

/** A text of the run as it grows, seldom drawn while it is not to be seen. `select` must be the same function each time. */
export function useThrottledText(select: (state: RunState) => string, isSeen: boolean): string {
  const store = useRunStore();
  const [text, setText] = useState(() => select(store.shown()));
  useEffect(() => {
    const everyMs = isSeen ? DRAWN_EVERY_MS : UNSEEN_EVERY_MS;
    let timer: number | undefined;
    let drawnAtMs = 0;
    const draw = (): void => {
      timer = undefined;
      drawnAtMs = performance.now();
      setText(select(store.shown()));
    };
    const changed = (): void => {
      timer ??= window.setTimeout(draw, Math.max(0, drawnAtMs + everyMs - performance.now()));
    };
    changed();
    const unsubscribe = store.subscribe(changed);
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [store, select, isSeen]);
  return text;
}
