import type { RunState } from '../../run/run-state';
import { useRun } from '../../run/use-run';
import { plainText } from '../../text/plain-text';
import { COMPARED_MAX, type Overlap, overlapOf } from '../../text/text-overlap';
import { standingOf } from './card-view';

/** A run that is over stays the same: what was compared once is kept as long as it. */
const compared = new WeakMap<RunState, Overlap>();

/** The overlap of the answer with what each participant stands for, in their order; undefined until the run is over. */
export function useOverlap(): Overlap | undefined {
  const state = useRun((now) => (now.end ? now : undefined));
  if (!state || state.answer === '') return undefined;
  const known = compared.get(state) ?? overlapOfRun(state);
  compared.set(state, known);
  return known;
}

function overlapOfRun(state: RunState): Overlap {
  const plain = (text: string): string => plainText(text.slice(0, COMPARED_MAX + 1));
  const drafts = (state.run?.participants ?? []).map(({ seat }) => plain(standingOf(state, seat) ?? ''));
  return overlapOf(plain(state.answer), drafts);
}
