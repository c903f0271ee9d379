import { createContext, useContext, useEffect, useState } from 'react';
import { useRun, useRunStore } from '../../run/use-run';

/** Number of seconds of the run that pass in one: none where it stands still. */
export const PaceContext = createContext(0);

const STEP_MS = 250;

/** The time of the run in milliseconds since its start, told again four times a second while it goes on. */
export function useElapsed(): number {
  const store = useRunStore();
  const pace = useContext(PaceContext);
  const isOver = useRun(({ end }) => end !== undefined);
  const [elapsedMs, setElapsed] = useState(0);
  const isGoingOn = pace > 0 && !isOver;
  const atMs = useRun((state) => (isGoingOn ? 0 : state.atMs));
  useEffect(() => {
    if (!isGoingOn) return;
    const tell = (): void =>
      setElapsed(store.latest().atMs + Math.max(0, performance.now() - store.changedAtMs()) * pace);
    tell();
    const timer = setInterval(tell, STEP_MS);
    return () => clearInterval(timer);
  }, [store, pace, isGoingOn]);
  return isGoingOn ? Math.max(elapsedMs, 0) : atMs;
}
