import { useState } from 'react';
import { toldOf } from '../../ui/error-state';

/** One way of signing in being tried, and why the last one failed. */
export interface Attempt<Way extends string> {
  readonly trying: Way | undefined;
  readonly problem: string | undefined;
  /** Resolves to whether it went well. */
  attempt(way: Way, work: () => Promise<void>): Promise<boolean>;
}

/** Tries ways of signing in, one at a time; `first` is what went wrong before. */
export function useAttempt<Way extends string>(first?: Error): Attempt<Way> {
  const [trying, setTrying] = useState<Way>();
  const [problem, setProblem] = useState(first && toldOf(first).message);
  const attempt = async (way: Way, work: () => Promise<void>): Promise<boolean> => {
    setTrying(way);
    setProblem(undefined);
    try {
      await work();
      return true;
    } catch (error) {
      setProblem(toldOf(error).message);
      return false;
    } finally {
      setTrying(undefined);
    }
  };
  return { trying, problem, attempt };
}
