import { type RefObject, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import type { RunState } from '../../run/run-state';
import { useRun, useRunStore } from '../../run/use-run';
import { isAlone } from './card-view';

/** The parts of a run that are open, and the ways to others. */
export interface StageView {
  readonly showsAnswer: boolean;
  /** True if all drafts are open, side by side. */
  readonly isWide: boolean;
  readonly isOpen: (seat: string) => boolean;
  readonly toggle: (seat: string) => void;
  readonly toggleAll: () => void;
  /** Opens a draft, or the answer, and moves the focus there. */
  readonly goTo: (part: string) => void;
}

/** The name of the answer among the parts. */
export const ANSWER = 'verdict';

interface View {
  readonly showsAnswer: boolean;
  readonly allOpen: boolean;
  /** The seats that are not as all are. */
  readonly others: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();
const DRAFTS: View = { showsAnswer: false, allOpen: true, others: NONE };
const ANSWERED: View = { showsAnswer: true, allOpen: false, others: NONE };
/** A run without an answer, or with one text alone: the answer's place on top, the rest open. */
const UNANSWERED: View = { showsAnswer: true, allOpen: true, others: NONE };
/** A place is rounded when it is scrolled to. */
const SCROLLED_PX = 2;
const REDUCED = '(prefers-reduced-motion: reduce)';

/**
 * The drafts are in view while they are written. Once the answer begins it takes their place and they fold, unless somebody
 * is reading one of them: for such a reader nothing moves until the answer is asked for.
 */
export function useStageView(stage: RefObject<HTMLElement | null>): StageView {
  const store = useRunStore();
  const runId = useRun(({ run }) => run?.runId);
  const due = useRun(dueIn);
  const [view, setView] = useState(due);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another run begins with a view of its own
  useLayoutEffect(() => {
    if (due === DRAFTS || !isReading(stage.current)) show(due, stage.current);
  }, [due, runId]);
  const show = (next: View, box: HTMLElement | null): void => {
    setView(next);
    if (next !== UNANSWERED && box && !store.latest().end) requestAnimationFrame(() => bringIntoView(box));
  };
  const { showsAnswer, allOpen, others } = view;
  const isOpen = (seat: string): boolean => others.has(seat) !== allOpen;
  const toggle = (seat: string): void => {
    const rest = new Set(others);
    if (!rest.delete(seat)) rest.add(seat);
    setView({ ...view, others: rest });
  };
  return {
    showsAnswer,
    isWide: allOpen,
    isOpen,
    toggle,
    toggleAll: () => setView({ ...view, allOpen: !allOpen, others: NONE }),
    goTo: (part) => {
      // Drawn at once, as the focus moves to what it draws.
      flushSync(() => {
        if (part !== ANSWER && !isOpen(part)) toggle(part);
        if (part === ANSWER && !showsAnswer) setView(due === UNANSWERED ? due : ANSWERED);
      });
      const element = document.getElementById(`card-${part}`);
      element?.focus({ preventScroll: true });
      element?.scrollIntoView({ block: part === ANSWER ? 'start' : 'nearest', inline: 'nearest', behavior: motion() });
    },
  };
}

function dueIn(state: RunState): View {
  if (isAlone(state)) return UNANSWERED;
  if (state.answer !== '') return ANSWERED;
  return state.end ? UNANSWERED : DRAFTS;
}

/** True if somebody has scrolled into the drafts, or has the focus, a selection or a dialog there. */
function isReading(stage: HTMLElement | null): boolean {
  if (!stage) return false;
  const { anchorNode, isCollapsed = true } = getSelection() ?? {};
  return (
    stage.getBoundingClientRect().top < -SCROLLED_PX ||
    stage.contains(document.activeElement) ||
    (!isCollapsed && stage.contains(anchorNode ?? null)) ||
    stage.querySelector('[data-scrolled="true"]') !== null ||
    document.querySelector('[role="dialog"]') !== null
  );
}

/** Scrolls up to the texts that are written, if they begin in the lower half of the window. */
function bringIntoView(stage: HTMLElement): void {
  const { top } = stage.getBoundingClientRect();
  if (top > innerHeight / 2) stage.scrollIntoView({ block: 'start', behavior: motion() });
}

function motion(): ScrollBehavior {
  return matchMedia(REDUCED).matches ? 'instant' : 'smooth';
}
