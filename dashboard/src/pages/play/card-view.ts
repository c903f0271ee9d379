import type { Spend } from '../../run/run-events';
import type { Call, RunState } from '../../run/run-state';
import { seatName } from '../../run/seat-name';
import { labelOf } from '../../run/seat-words';
import { usedText } from '../../run/used-text';

/** So many names can be read in a line. */
const NAMED_MAX = 4;
const NO_IDS: readonly string[] = [];
const WRITING: ReadonlySet<Call['purpose']> = new Set(['draft', 'revise']);
const LOST: ReadonlySet<Call['state']> = new Set(['failed', 'cut', 'spared']);

type SeenBy = Pick<Call, 'seat' | 'saw'>;

/** True for one model alone, whose text is the answer. */
export function isAlone({ run }: RunState): boolean {
  return run?.strategy === 'pass_through';
}

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

/** The text that a participant stands for; undefined: none. */
export function standingOf({ standing }: RunState, seat: string): string | undefined {
  return standing.findLast((text) => seatName(text.seat) === seat)?.text;
}

/** The spend of all attempts of these calls; undefined: none is over. */
export function spendOf({ calls }: RunState, ids: readonly string[]): Spend | undefined {
  const all = ids.flatMap((id) => calls.get(id)?.attempts.flatMap(({ spend }) => spend ?? []) ?? []);
  const [first] = all;
  return (
    first && {
      ...first,
      costNanoUsd: all.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0),
      estimated: all.some(({ estimated }) => estimated),
      priced: all.every(({ priced }) => priced),
    }
  );
}

/** The authors whose texts a call was shown, and under which label: Curie as “B”, its own text. Empty: nobody's. */
export function sawWords(state: RunState, { seat, saw }: SeenBy): string {
  return saw
    .map((one) => (seatName(one.seat) === seat ? 'its own text' : `${labelOf(state, one.seat)} as “${one.as}”`))
    .join(', ');
}

/** The same in a line, where they are many: 15 others, all but Curie. Undefined where the list itself is short. */
export function sawSummary(state: RunState, { seat, saw }: SeenBy): string | undefined {
  const seen = new Set(saw.map((one) => seatName(one.seat)));
  const others = (state.run?.participants ?? []).filter((one) => one.seat !== seat);
  const missing = others.filter((one) => !seen.has(one.seat));
  const known = others.length - missing.length;
  if (known <= NAMED_MAX) return undefined;
  const but =
    missing.length <= NAMED_MAX ? `, all but ${missing.map(({ label }) => label).join(', ')}` : ` of ${others.length}`;
  return `${known} others${missing.length === 0 ? ', all of them' : but}${seen.has(seat) ? ', and its own text' : ''}`;
}

/** The meaning for the answer of a participant's newest call that came to nothing; undefined where it did not. */
export function consequenceOf(state: RunState, seat: string): string | undefined {
  const newest = state.calls.get(callIdsOf(state, seat).at(-1) ?? '');
  if (!newest || !LOST.has(newest.state)) return undefined;
  const stands = state.standing.findLast((text) => seatName(text.seat) === seat);
  if (stands) return `Its ${stands.round > 0 ? `text of round ${stands.round}` : 'earlier text'} still counts.`;
  const { participants = [] } = state.run ?? {};
  const heard = new Set(state.standing.map((text) => seatName(text.seat))).size;
  if (!state.end) return 'The others go on without it.';
  if (state.answer === '') return undefined;
  return `The answer was made from ${heard} of ${participants.length} participants.`;
}

/** The order in which a call has put the texts of others, the best of them by name; undefined: it was not asked to. */
export function rankingWords(state: RunState, call: string): string | undefined {
  const ranking = state.rankings.findLast((one) => one.call === call);
  const names = ranking?.order.map((seat) => labelOf(state, seat));
  if (!names || names.length <= NAMED_MAX) return names?.join(', then ');
  return `${names.slice(0, NAMED_MAX).join(', then ')}, then ${names.length - NAMED_MAX} more`;
}
