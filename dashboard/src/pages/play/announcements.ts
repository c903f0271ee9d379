import type { RunState } from '../../run/run-state';
import { labelOf } from '../../run/seat-words';

const WORD = /\S+/g;
const ENDS: Readonly<Record<string, string>> = {
  complete: 'The run is complete',
  stopped: 'The run was stopped',
  failed: 'The run has failed',
};

/** Announcements for screen readers of a run that has changed: changes of state, and never the texts. */
export function announcements(before: RunState, after: RunState): string[] {
  const step = after.rounds.length > before.rounds.length ? after.rounds.at(-1) : undefined;
  const ended = [...after.calls.values()].filter(
    ({ id, endedAtMs, seat }) =>
      endedAtMs !== undefined && before.calls.get(id)?.endedAtMs === undefined && /^p\d/.test(seat),
  );
  return [
    ...(step ? [step.round > 0 ? `Round ${step.round} of ${step.of}: ${step.label}` : step.label] : []),
    ...ended.map(({ seat, state, reason, attempts }) => {
      const words = attempts.at(-1)?.text.match(WORD)?.length ?? 0;
      const who = labelOf(after, seat);
      if (state === 'done') return `${who} is done, ${words} words`;
      return `${who}: ${state === 'cut' ? 'cut off' : state === 'spared' ? 'not asked' : 'failed'}${reason ? `, ${reason}` : ''}`;
    }),
    ...(before.answer === '' && after.answer !== '' ? ['The answer is being written'] : []),
    ...(!before.end && after.end ? [ENDS[after.end.outcome] ?? ''] : []),
  ];
}
