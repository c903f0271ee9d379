import { useConversation } from './use-conversation';
import { useThreadRuns } from './use-thread-runs';
import { Versions } from './versions';

/** The place of the run that is shown among its versions. */
export function ThisVersion() {
  const id = useConversation()?.asked.runId;
  const runs = useThreadRuns();
  const run = runs.find((one) => one.id === id);
  return run ? <Versions run={run} runs={runs} /> : null;
}
