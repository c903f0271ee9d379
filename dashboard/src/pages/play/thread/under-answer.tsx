import { useAskedRun } from '../../../run/asked-run';
import { AskNext } from './ask-next';
import { LaterRuns } from './later-runs';
import { RateRun } from './rate-run';
import type { Rating } from './use-run-rating';

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
