import { type RefObject, useEffect, useRef, useState } from 'react';
import { useRun } from '../../run/use-run';

/** On a phone: which card is shown, and the way to another. The answer opens by itself, once, when its first text comes. */
export function useSlides(stage: RefObject<HTMLElement | null>) {
  const [shown, setShown] = useState<string>();
  const hasAnswer = useRun(({ answer, end }) => answer !== '' && !end);
  const hasOpened = useRun(({ run }) => run?.runId);
  const openedFor = useRef<string>(undefined);
  const show = (name: string): void => {
    const box = stage.current;
    const slide = box?.querySelector<HTMLElement>(`[data-slide="${name}"]`);
    if (!box || !slide) return;
    // Not with `scrollIntoView`, which would move the page up and down as well; and not by a distance, which ends at the
    // next card.
    const distance = slide.getBoundingClientRect().left - box.getBoundingClientRect().left;
    box.scrollTo({ left: box.scrollLeft + distance, behavior: 'smooth' });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: each run has cards of its own
  useEffect(() => {
    const box = stage.current;
    if (!box) return;
    const observer = new IntersectionObserver(
      (entries) => {
        const seen = entries.find(({ isIntersecting }) => isIntersecting)?.target as HTMLElement | undefined;
        if (seen) setShown(seen.dataset['slide']);
      },
      { root: box, threshold: 0.6 },
    );
    for (const slide of box.querySelectorAll('[data-slide]')) observer.observe(slide);
    return () => observer.disconnect();
  }, [stage, hasOpened]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each run
  useEffect(() => {
    if (!hasAnswer || openedFor.current === hasOpened) return;
    openedFor.current = hasOpened;
    show('verdict');
  }, [hasAnswer, hasOpened]);
  return { shown, show };
}
