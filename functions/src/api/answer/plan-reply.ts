import type { RunEstimate } from '../../ensemble/estimate/estimate-run';
import type { EnsembleResult } from '../../ensemble/open-ensemble';
import { STREAM_END } from '../../http/event-stream';
import type { JsonReply, StreamReply } from '../../http/reply';
import type { Finished } from '../../runs/run';
import { chunks } from './chunks';
import { planSentence } from './plan-body';
import type { ReplyHead } from './reply-head';

/** Consumption of a request that calls nothing. */
const NOTHING = {
  promptTokens: 0,
  completionTokens: 0,
  cachedPromptTokens: 0,
  reasoningTokens: 0,
  costNanoUsd: 0,
  durationMs: 0,
  calls: 0,
  unpricedModels: [],
};

/** A run's estimate in the place of the run, in one piece. */
export function wholePlan(
  plan: RunEstimate,
  bodyOf: (finished: Finished<EnsembleResult>, content: string) => object,
): JsonReply {
  return { body: bodyOf({ result: { degraded: [], plan }, totals: NOTHING }, planSentence(plan)) };
}

/** A run's estimate in the place of the run, as a stream. */
export function streamPlan(plan: RunEstimate, head: ReplyHead): StreamReply {
  const { opening, text, final } = chunks(head);
  return {
    headers: {},
    play: async (events) => {
      events.write(opening());
      events.write(text(planSentence(plan)));
      events.write(final({ degraded: [], plan }));
      events.write(STREAM_END);
    },
  };
}
