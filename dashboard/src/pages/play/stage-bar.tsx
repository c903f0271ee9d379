import type { Seat } from '../../run/run-events';
import { letterOf } from '../../run/seat-words';
import { useRun } from '../../run/use-run';
import { callIdsOf } from './card-view';
import styles from './stage-bar.module.css';
import { ANSWER } from './use-stage-view';

interface StageBarProps {
  readonly participants: readonly Seat[];
  /** The draft that a phone shows. */
  readonly shown: string | undefined;
  readonly showsAnswer: boolean;
  readonly onGo: (part: string) => void;
}

/** Stays in view: the ways to the answer and to each draft, with the state of each. */
export function StageBar({ participants, shown, showsAnswer, onGo }: StageBarProps) {
  const stage = useRun(({ answer, end }) => (answer === '' ? (end ? 'failed' : 'none') : end ? 'over' : 'writing'));
  return (
    <nav className={styles.bar} aria-label="Parts of the run">
      <button
        type="button"
        className={styles.answer}
        data-new={!showsAnswer && stage !== 'none'}
        onClick={() => onGo(ANSWER)}
      >
        {ANSWER_WORDS[stage]}
      </button>
      {participants.map(({ seat, label }, index) => (
        <button
          key={seat}
          type="button"
          className={styles.dot}
          aria-current={shown === seat}
          title={label}
          onClick={() => onGo(seat)}
        >
          <span aria-hidden="true">{letterOf(index)}</span>
          <Mark seat={seat} />
          <span className="visually-hidden">{label}</span>
        </button>
      ))}
    </nav>
  );
}

const ANSWER_WORDS = { none: 'Answer', writing: 'Answer ●', over: 'Answer ✓', failed: 'Answer ✕' } as const;
const MARKS: Readonly<Record<string, string>> = { done: '✓', failed: '✕', cut: '✂', running: '●', retry: '↻' };

function Mark({ seat }: { readonly seat: string }) {
  const how = useRun((state) => state.calls.get(callIdsOf(state, seat).at(-1) ?? '')?.state ?? 'queued');
  return (
    <span className={styles.mark} data-state={how} aria-hidden="true">
      {MARKS[how] ?? '○'}
    </span>
  );
}
