import { type Clock, sleep } from '../lib/clock';
import type { OpenWork } from '../lib/open-work';

/**
 * How long nothing may have begun before a process counts as idle: requests that follow each other are not disturbed.
 * @internal
 */
export const QUIET_MS = 100;

/**
 * What resolves once nothing but `own` pieces of work is under way in a process and nothing has begun for a tenth of a
 * second; at once when nothing has begun since it last resolved, or when the process is to end.
 */
export function whenIdle(openWork: OpenWork, clock: Clock): (own: number) => Promise<void> {
  let begun: number | undefined;
  return async (own) => {
    while (!openWork.stopping.aborted && (openWork.count > own || openWork.begun !== begun)) {
      begun = openWork.begun;
      await sleep(clock, QUIET_MS, openWork.stopping);
    }
  };
}
