import { createContext, useContext } from 'react';

/** What stands behind a run that a page shows, beside its trace. */
export interface AskedRun {
  readonly prompt: string;
  /** Where the server has it. */
  readonly runId?: string;
  /** How its answers were judged before, oldest first. */
  readonly evaluations: readonly unknown[];
}

/** The run that a part of the page shows. */
export const AskedRunContext = createContext<AskedRun | undefined>(undefined);

/** What stands behind that run; undefined until it is known. */
export function useAskedRun(): AskedRun | undefined {
  return useContext(AskedRunContext);
}
