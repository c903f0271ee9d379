import type { KeptRun } from './run-events';

/** A run that was opened from a file, on its way to the page that shows it. It is in no address and no storage. */
let opened: Omit<KeptRun, 'id' | 'state'> | undefined;

/** Puts a run there. */
export function putOpenedFile(run: Omit<KeptRun, 'id' | 'state'>): void {
  opened = run;
}

/** Takes it, once. */
export function takeOpenedFile(): Omit<KeptRun, 'id' | 'state'> | undefined {
  const run = opened;
  opened = undefined;
  return run;
}
