import type { CancelTimer, Clock } from './clock';

/** How long a line waits for others at most. */
const WAIT_MAX_MS = 20;
/** So many lines do not wait for more. */
const LINES_MAX = 200;

/** Takes one line without its newline; an urgent one is written at once, with all that waits. */
export type TakeLine = (line: string, isUrgent: boolean) => void;

/**
 * Writes lines together: each call of the system, and each time that the reader behind a pipe is woken, costs more than a
 * line. What is still waiting is written when `onExit` calls back, so that nothing is lost but by a SIGKILL.
 */
export function joinedLines(
  write: (lines: string) => void,
  clock: Pick<Clock, 'after'>,
  onExit: (flush: () => void) => void = (flush) => process.once('exit', flush),
): TakeLine {
  let waiting: string[] = [];
  let cancel: CancelTimer | undefined;
  const flush = (): void => {
    cancel?.();
    cancel = undefined;
    if (waiting.length === 0) return;
    const lines = waiting.join('\n');
    waiting = [];
    write(lines);
  };
  onExit(flush);
  return (line, isUrgent) => {
    waiting.push(line);
    if (isUrgent || waiting.length >= LINES_MAX) flush();
    else cancel ??= clock.after(WAIT_MAX_MS, flush);
  };
}
