import { type Refusal, refuse } from '../errors';
import type { Clock } from '../lib/clock';
import type { KeptRun, RunPlace, RunStore } from './run-store';

/** Part of a user's list of runs, newest first; `next`, as `before`, leads to the following part, where there is one. */
export interface RunPage {
  readonly runs: readonly KeptRun[];
  readonly next?: string;
}

/** Part of a list that is wanted. */
export interface RunQuery {
  /** Words that the beginning of the prompt must hold, whatever their case. */
  readonly search?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Runs read at a time in a search. */
const SEARCHED_AT_ONCE = 200;
/** Message of a run that lost its process. */
export const LOST_MESSAGE = 'The server stopped before the run ended';
const PROMPT_CHARACTERS = 200;

/** A part of a user's runs. A search reads the summaries of all of them at worst: no index holds parts of texts. */
export async function listRuns(
  { store, clock }: { readonly store: Pick<RunStore, 'listRuns'>; readonly clock: Clock },
  userId: string,
  { search = '', before, limit }: RunQuery,
): Promise<RunPage | Refusal> {
  let place = before === undefined ? undefined : parsePlace(before);
  if (before !== undefined && !place) {
    return refuse('invalid_request', 'Invalid before: must be the next of an earlier page');
  }
  const wanted = oneLine(search).toLowerCase();
  const max = wanted === '' ? limit + 1 : SEARCHED_AT_ONCE;
  const found: KeptRun[] = [];
  for (let isMore = true; isMore && found.length <= limit; ) {
    const page = await store.listRuns(userId, { before: place, max });
    const alive = page.flatMap((run) => aliveAt(run, clock.nowMs()) ?? []);
    found.push(...alive.filter(({ prompt }) => prompt.toLowerCase().includes(wanted)));
    place = page.at(-1);
    isMore = page.length === max;
  }
  const runs = found.slice(0, limit);
  const last = runs.at(-1);
  return { runs, ...(last && found.length > limit && { next: `${last.startedAtMs}-${last.runId}` }) };
}

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

/** The place that a `next` names; undefined for what is no such text. */
export function parsePlace(text: string): RunPlace | undefined {
  const [, startedAtMs, runId] = /^(\d{1,15})-([0-9a-f]{32})$/.exec(text) ?? [];
  return startedAtMs && runId ? { startedAtMs: Number(startedAtMs), runId } : undefined;
}

/** True for a text that can be the id of a run: anything else is not looked up. */
export function isRunId(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}
