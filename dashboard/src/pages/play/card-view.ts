import type { Call, RunState } from '../../run/run-state';
import { seatName } from '../../run/seat-name';
import { labelOf } from '../../run/seat-words';
import { usedText } from '../../run/used-text';

const NO_IDS: readonly string[] = [];
const WRITING: ReadonlySet<Call['purpose']> = new Set(['draft', 'revise']);
const LOST: ReadonlySet<Call['state']> = new Set(['failed', 'cut', 'spared']);

/** The ids of a seat's calls, in order. */
export function callIdsOf({ callIds }: RunState, seat: string): readonly string[] {
  return callIds.get(seat) ?? NO_IDS;
}

/** The same participant's text before a call in which it writes anew; undefined: nothing. */
export function textBefore(state: RunState, call: Call): string | undefined {
  if (!WRITING.has(call.purpose)) return undefined;
  const earlier = callIdsOf(state, call.seat)
    .slice(0, callIdsOf(state, call.seat).indexOf(call.id))
    .flatMap((id) => state.calls.get(id) ?? [])
    .findLast(({ purpose, state: how }) => WRITING.has(purpose) && how === 'done');
  return earlier && usedText(state, earlier.id);
}

/** The authors whose texts a call was shown, and under which label: Curie as “B”, its own text. Empty: nobody's. */
export function sawWords(state: RunState, { seat, saw }: Pick<Call, 'seat' | 'saw'>): string {
  return saw
    .map((one) => (seatName(one.seat) === seat ? 'its own text' : `${labelOf(state, one.seat)} as “${one.as}”`))
    .join(', ');
}

/** The meaning for the answer of a participant's newest call that came to nothing; undefined where it did not. */
export function consequenceOf(state: RunState, seat: string): string | undefined {
  const newest = state.calls.get(callIdsOf(state, seat).at(-1) ?? '');
  if (!newest || !LOST.has(newest.state)) return undefined;
  const stands = state.standing.findLast((text) => seatName(text.seat) === seat);
  if (stands) return `What it wrote ${stands.round > 0 ? `in round ${stands.round}` : 'before'} still counts.`;
  const { participants = [] } = state.run ?? {};
  const heard = new Set(state.standing.map((text) => seatName(text.seat))).size;
  if (!state.end) return 'The others go on without it.';
  return `The answer was made from ${heard} of ${participants.length} participants.`;
}

/** In which order a call has put the texts of others, best first; undefined: it was not asked to. */
export function rankingWords(state: RunState, call: string): string | undefined {
  const ranking = state.rankings.findLast((one) => one.call === call);
  return ranking?.order.map((seat) => labelOf(state, seat)).join(', then ');
}
