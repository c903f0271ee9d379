import type { Seat } from '../../run/run-events';
import { letterOf } from '../../run/seat-words';
import { useRun } from '../../run/use-run';
import styles from './card-bar.module.css';
import { callIdsOf } from './card-view';

interface CardBarProps {
  readonly participants: readonly Seat[];
  readonly shown: string | undefined;
  readonly onShow: (name: string) => void;
}

/** On a phone: the cards that one can swipe to, with how each stands. */
export function CardBar({ participants, shown, onShow }: CardBarProps) {
  return (
    <nav className={styles.bar} aria-label="Cards">
      {participants.map(({ seat, label }, index) => (
        <button
          key={seat}
          type="button"
          className={styles.dot}
          aria-current={shown === seat}
          onClick={() => onShow(seat)}
        >
          <span aria-hidden="true">{letterOf(index)}</span>
          <Mark seat={seat} />
          <span className="visually-hidden">{label}</span>
        </button>
      ))}
      <button type="button" className={styles.dot} aria-current={shown === 'verdict'} onClick={() => onShow('verdict')}>
        Answer
      </button>
    </nav>
  );
}

const MARKS: Readonly<Record<string, string>> = { done: '✓', failed: '✕', cut: '✂', running: '●', retry: '↻' };

function Mark({ seat }: { readonly seat: string }) {
  const how = useRun((state) => state.calls.get(callIdsOf(state, seat).at(-1) ?? '')?.state ?? 'queued');
  return (
    <span className={styles.mark} data-state={how} aria-hidden="true">
      {MARKS[how] ?? '○'}
    </span>
  );
}
