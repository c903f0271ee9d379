import type { RecordedRun } from './run-events';

/** A run that was opened from a file, on its way to the page that shows it. It is in no address and no storage. */
let opened: RecordedRun | undefined;

/** Puts a run there. */
export function putOpenedFile(run: RecordedRun): void {
  opened = run;
}

/** Takes it, once. */
export function takeOpenedFile(): RecordedRun | undefined {
  const run = opened;
  opened = undefined;
  return run;
}
