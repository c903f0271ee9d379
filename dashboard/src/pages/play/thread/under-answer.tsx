import { Link } from 'wouter';
import { useAskedRun } from '../../../run/asked-run';
import { visibleText } from '../../../text/visible-text';
import { usdOfNano } from '../../../ui/format-number';
import { AskNext } from './ask-next';
import { RateRun } from './rate-run';
import styles from './thread.module.css';
import { useConversation } from './use-conversation';
import type { Rating } from './use-run-rating';
import { useThreadRuns } from './use-thread-runs';

/** The rating of an answer, and the ways on from it: those that were taken, and a new one. */
export default function UnderAnswer({ rating }: { readonly rating: Rating | undefined }) {
  const runId = useAskedRun()?.runId;
  return (
    <>
      {rating && <RateRun rating={rating} />}
      <LaterRuns />
      <AskNext key={runId} />
    </>
  );
}

/** The runs that go on from the answer that is shown; nothing where there are none. */
function LaterRuns() {
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
            <span className="soft">{usdOfNano(run.costNanoUsd)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
