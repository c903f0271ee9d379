import { waitForEvent } from './wait-for-event';

/** The visibility of the page. */
export interface PageSight {
  /** Calls `listener` once the page has been in the background for two seconds; what it returns takes that back. */
  onHidden(listener: () => void): () => void;
  /** Resolves when the page can be seen, or after so many milliseconds, or when the signal is aborted. */
  untilSeen(ms: number, signal: AbortSignal): Promise<void>;
}

/** People turn to another tab for a moment and come back. */
const AWAY_MS = 2_000;

/** The tab of this page, as its browser tells. */
export const pageSight: PageSight = {
  onHidden: (listener) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      clearTimeout(timer);
      if (isHidden()) timer = setTimeout(listener, AWAY_MS);
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  },
  untilSeen: async (ms, signal) => {
    if (isHidden()) await waitForEvent(document, 'visibilitychange', { ms, signal });
  },
};

function isHidden(): boolean {
  return document.visibilityState === 'hidden';
}
