import { useEffect } from 'react';

/** Loads a program before it is shown, once it is likely to be; a failure is told when it is shown. */
export function usePreloaded(load: () => Promise<unknown>, isLikely: boolean): void {
  useEffect(() => {
    if (isLikely) load().catch(() => {});
  }, [load, isLikely]);
}
