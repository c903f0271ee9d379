import { type Refusal, refuse } from '../errors';
import type { Clock } from '../lib/clock';
import type { KeptRun, RunPlace, RunStore } from './run-store';
import { aliveAt, oneLine, parsePlace, placeText } from './run-summary';

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

/** Dependencies of a list. */
interface ListDeps {
  readonly store: Pick<RunStore, 'listRuns'>;
  readonly clock: Clock;
}

/** A part of a user's runs. A search reads the summaries of all of them at worst: no index holds parts of texts. */
export async function listRuns(deps: ListDeps, userId: string, query: RunQuery): Promise<RunPage | Refusal> {
  const { search, before, limit } = query;
  const from = before === undefined ? undefined : parsePlace(before);
  if (before !== undefined && !from) {
    return refuse('invalid_request', 'Invalid before: must be the next of an earlier page');
  }
  const wanted = oneLine(search ?? '').toLowerCase();
  const runs: KeptRun[] = [];
  for await (const one of runsOf(deps, userId, { from, atOnce: wanted === '' ? limit + 1 : SEARCHED_AT_ONCE })) {
    if (!one.prompt.toLowerCase().includes(wanted)) continue;
    const last = runs.at(-1);
    if (last && runs.length === limit) return { runs, next: placeText(last) };
    runs.push(one);
  }
  return { runs };
}

/** The runs of a user from a place on, read some at a time. */
async function* runsOf(
  { store, clock }: ListDeps,
  userId: string,
  { from, atOnce }: { readonly from: RunPlace | undefined; readonly atOnce: number },
): AsyncGenerator<KeptRun> {
  let before = from;
  for (;;) {
    const some = await store.listRuns(userId, { before, max: atOnce });
    for (const one of some) {
      const alive = aliveAt(one, clock.nowMs());
      if (alive) yield alive;
    }
    before = some.at(-1);
    if (some.length < atOnce) return;
  }
}
