import { useAskedRun } from '../../../run/asked-run';
import { AskNext } from './ask-next';
import { LaterRuns } from './later-runs';

/** The ways on from an answer: those that were taken, and a new one. */
export default function UnderAnswer() {
  const runId = useAskedRun()?.runId;
  return (
    <>
      <LaterRuns />
      <AskNext key={runId} />
    </>
  );
}
