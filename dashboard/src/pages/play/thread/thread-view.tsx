import { useRun } from '../../../run/use-run';
import { usdOfNano } from '../../../ui/format-number';
import styles from './thread.module.css';
import { TurnView } from './turn-view';
import { turnsBefore } from './turns';
import { useConversation } from './use-conversation';
import { useThreadRuns } from './use-thread-runs';

/** The questions and answers before those of the run that is shown, each with its cost. */
export default function ThreadView() {
  const conversation = useConversation();
  const runs = useThreadRuns();
  const spent = useRun((state) => state.spent.costNanoUsd);
  if (!conversation) return null;
  const turns = turnsBefore(conversation.asked, runs);
  if (turns.length === 0) return null;
  const cost = turns.reduce((sum, { run }) => sum + (run?.costNanoUsd ?? 0), spent);
  const isKnown = turns.every(({ run }) => run);
  return (
    <section className={styles.thread} aria-labelledby="thread-title">
      <header className={styles.head}>
        <h2 id="thread-title">Conversation</h2>
        <p className={styles.soft}>
          {turns.length + 1} turns, {isKnown ? '' : 'at least '}
          {usdOfNano(cost)} in all
        </p>
      </header>
      <ol className={styles.turns}>
        {turns.map((turn, index) => (
          <TurnView key={turn.question.at} turn={turn} number={index + 1} runs={runs} />
        ))}
      </ol>
    </section>
  );
}
