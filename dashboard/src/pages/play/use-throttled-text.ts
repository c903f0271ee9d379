import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { RunState } from '../../run/run-state';
import { useRunStore } from '../../run/use-run';

/** A text that is read faster than this is not read: it is drawn at most eight times a second. */
const DRAWN_EVERY_MS = 125;
/** The interval for text that cannot be seen: it is drawn for screen readers and searches. */
const UNSEEN_EVERY_MS = 1_000;
/** A long text takes long to draw: it is drawn so seldom that most of the time is left for everything else. */
const TIMES_ITS_DRAWING = 5;

/** A text of the run as it grows, seldom drawn while it is not to be seen. `select` must be the same function each time. */
export function useThrottledText(select: (state: RunState) => string, isSeen: boolean): string {
  const store = useRunStore();
  const [text, setText] = useState(() => select(store.shown()));
  const drawing = useRef({ beganAtMs: 0, tookMs: 0 });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each text is drawn once
  useEffect(() => {
    drawing.current.tookMs = performance.now() - drawing.current.beganAtMs;
  }, [text]);
  useEffect(() => {
    const everyMs = isSeen ? DRAWN_EVERY_MS : UNSEEN_EVERY_MS;
    let timer: number | undefined;
    drawing.current = { beganAtMs: 0, tookMs: 0 };
    const draw = (): void => {
      timer = undefined;
      drawing.current.beganAtMs = performance.now();
      setText(select(store.shown()));
    };
    const changed = (): void => {
      const { beganAtMs, tookMs } = drawing.current;
      const waitMs = beganAtMs + Math.max(everyMs, TIMES_ITS_DRAWING * tookMs) - performance.now();
      timer ??= window.setTimeout(draw, Math.max(0, waitMs));
    };
    changed();
    const unsubscribe = store.subscribe(() => {
      if (!store.shown().end) return changed();
      // Whole at once, as with the end comes what stands under a text.
      clearTimeout(timer);
      flushSync(draw);
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [store, select, isSeen]);
  return text;
}
