import { type RefObject, useEffect, useState } from 'react';
import { useRun } from '../../run/use-run';

/** The draft that a phone shows, where one swipes from each to the next; undefined where several are in view. */
export function useSlides(stage: RefObject<HTMLElement | null>, isSwiped: boolean): string | undefined {
  const [shown, setShown] = useState<string>();
  const runId = useRun(({ run }) => run?.runId);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each run has cards of its own, and others beside the answer
  useEffect(() => {
    const box = stage.current;
    if (!box) return;
    const observer = new IntersectionObserver(
      (entries) => {
        const seen = entries.find(({ isIntersecting }) => isIntersecting)?.target as HTMLElement | undefined;
        if (seen) setShown(box.scrollWidth > box.clientWidth ? seen.dataset['slide'] : undefined);
      },
      { root: box, threshold: 0.6 },
    );
    for (const slide of box.querySelectorAll('[data-slide]')) observer.observe(slide);
    return () => observer.disconnect();
  }, [stage, runId, isSwiped]);
  return isSwiped ? shown : undefined;
}
