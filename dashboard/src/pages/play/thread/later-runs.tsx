import { Link } from 'wouter';
import { visibleText } from '../../../text/visible-text';
import { usdOfNano } from '../../../ui/format-number';
import styles from './thread.module.css';
import { useConversation } from './use-conversation';
import { useThreadRuns } from './use-thread-runs';

/** The runs that go on from the answer that is shown; nothing where there are none. */
export function LaterRuns() {
  const id = useConversation()?.asked.runId;
  const later = useThreadRuns().filter(({ after }) => id !== undefined && after === id);
  if (later.length === 0) return null;
  return (
    <section className={styles.part} aria-labelledby="later-title">
      <h3 id="later-title">The conversation goes on</h3>
      <ul>
        {later.map((run) => (
          <li key={run.id}>
            <Link href={`/play/${run.id}`} dir="auto">
              {visibleText(run.prompt)}
            </Link>{' '}
            <span className={styles.soft}>{usdOfNano(run.costNanoUsd)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
