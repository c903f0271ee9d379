import type { KeptRun, RunPlace } from './run-store';

/** Message of a run that lost its process. */
export const LOST_MESSAGE = 'The server stopped before the run ended';

const PROMPT_CHARACTERS = 200;

/** A text as it stands in lists: its beginning, in one line and well-formed. */
export function oneLine(text: string, charactersMax = PROMPT_CHARACTERS): string {
  // Of a very long text no more is looked at than can be needed.
  const start = text.slice(0, 4 * charactersMax).replace(/[\s\p{Cc}]+/gu, ' ');
  return start.trim().slice(0, charactersMax).toWellFormed();
}

/** A run as it is now: one that is not over and whose lease has ended has lost its process. */
export function asOf(run: KeptRun, nowMs: number): KeptRun {
  const isLost = run.state === 'running' && run.leaseUntilMs <= nowMs;
  return isLost ? { ...run, state: 'failed', message: LOST_MESSAGE } : run;
}

/** The same; undefined once it is to be forgotten. */
export function aliveAt(run: KeptRun, nowMs: number): KeptRun | undefined {
  return run.expiresAtMs > nowMs ? asOf(run, nowMs) : undefined;
}

/** A place in a list as a client may hand it back. */
export function placeText({ startedAtMs, runId }: RunPlace): string {
  return `${startedAtMs}-${runId}`;
}

/** The reverse of `placeText`; undefined for what is no such text. */
export function parsePlace(text: string): RunPlace | undefined {
  const [, startedAtMs, runId] = /^(\d{1,15})-([0-9a-f]{32})$/.exec(text) ?? [];
  return startedAtMs && runId ? { startedAtMs: Number(startedAtMs), runId } : undefined;
}

/** True for a text that can be the id of a run: anything else is not looked up. */
export function isRunId(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}
