import { Link } from 'wouter';
import { retryOf } from '../../api/api-error';
import { roundWords } from '../../run/call-words';
import { RunContext, useRun } from '../../run/use-run';
import { ErrorState } from '../../ui/error-state';
import { Panel } from '../../ui/page';
import { AnswerText } from '../play/answer-text';
import styles from './compare.module.css';
import type { Compared } from './use-comparison';

/** One of the runs: its answer as it is written, and the way to the run itself. */
export function ComparedRun({ of }: { readonly of: Compared }) {
  const { session } = of;
  const { connection, request, runId } = session.state();
  return (
    <RunContext value={of.store}>
      <Panel title={of.name}>
        {connection.is === 'refused' || connection.is === 'gone' ? (
          <ErrorState
            title={connection.is === 'gone' ? 'The rest of this run cannot be shown' : 'This run did not start'}
            error={connection.error}
            {...(request && retryOf(connection.error, () => session.begin(request)))}
          />
        ) : (
          <>
            <Calls />
            <AnswerText />
          </>
        )}
        {runId !== undefined && (
          <Link href={`/play/${runId}`} className={styles.link}>
            Open this run
          </Link>
        )}
      </Panel>
    </RunContext>
  );
}

/** The calls that are waited for, while no answer is written. */
function Calls() {
  const isWaiting = useRun(({ answer, end }) => answer === '' && end === undefined);
  const step = useRun(({ rounds }) => rounds.slice(-1).map(roundWords).at(0));
  return isWaiting && step !== undefined ? <p className="soft">{step}</p> : null;
}
