import { createContext, useContext } from 'react';

/** The data behind a run that a page shows, beside its trace. */
export interface AskedRun {
  readonly prompt: string;
  /** The id under which the server has it. */
  readonly runId?: string;
  /** Earlier evaluations of its answers, oldest first. */
  readonly evaluations: readonly unknown[];
}

/** The run that a part of the page shows. */
export const AskedRunContext = createContext<AskedRun | undefined>(undefined);

/** The data behind that run; undefined until it is known. */
export function useAskedRun(): AskedRun | undefined {
  return useContext(AskedRunContext);
}
