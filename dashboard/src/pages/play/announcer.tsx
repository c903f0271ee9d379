import { useEffect, useState } from 'react';
import { roundWords } from '../../run/call-words';
import type { RunState } from '../../run/run-state';
import { labelOf } from '../../run/seat-words';
import { useRunStore } from '../../run/use-run';
import { wordCount } from '../../text/first-words';

const AT_ONCE_MAX = 3;
const ENDS: Readonly<Record<string, string>> = {
  complete: 'The run is complete',
  stopped: 'The run was stopped',
  failed: 'The run has failed',
};

/** Tells readers of the screen what changes. */
export function Announcer() {
  const store = useRunStore();
  const [words, tell] = useState('');
  useEffect(() => {
    let before = store.shown();
    return store.subscribe(() => {
      const told = announcements(before, store.shown());
      before = store.shown();
      // More than that at once is a run that was opened, or one that was resumed: how it stands is what counts.
      if (told.length > 0) tell(told.slice(-AT_ONCE_MAX).join('. '));
    });
  }, [store]);
  return (
    <p role="status" className="visually-hidden">
      {words}
    </p>
  );
}

/** Announcements for screen readers of a run that has changed: changes of state, and never the texts. */
function announcements(before: RunState, after: RunState): string[] {
  const step = after.rounds.length > before.rounds.length ? after.rounds.at(-1) : undefined;
  const ended = [...after.calls.values()].filter(
    ({ id, endedAtMs, seat }) =>
      endedAtMs !== undefined && before.calls.get(id)?.endedAtMs === undefined && /^p\d/.test(seat),
  );
  return [
    ...(step ? [roundWords(step)] : []),
    ...ended.map(({ seat, state, reason, attempts }) => {
      const words = wordCount(attempts.at(-1)?.text ?? '');
      const who = labelOf(after, seat);
      if (state === 'done') return `${who} is done, ${words} words`;
      return `${who}: ${state === 'cut' ? 'cut off' : state === 'spared' ? 'not asked' : 'failed'}${reason ? `, ${reason}` : ''}`;
    }),
    ...(before.answer === '' && after.answer !== '' ? ['The answer is being written'] : []),
    ...(!before.end && after.end ? [ENDS[after.end.outcome] ?? ''] : []),
  ];
}
