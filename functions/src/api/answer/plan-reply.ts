import type { EnsembleResult } from '../../ensemble/open-ensemble';
import type { EnsemblePlan } from '../../ensemble/plan-ensemble';
import { STREAM_END } from '../../http/event-stream';
import type { JsonReply, StreamReply } from '../../http/reply';
import type { Finished } from '../../runs/run';
import { chunks } from './chunks';
import { planSentence } from './plan-body';
import type { ReplyHead } from './reply-head';

/** Nothing was consumed. */
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

/** A plan in the place of a run, in one piece. */
export function wholePlan(
  plan: EnsemblePlan,
  bodyOf: (finished: Finished<EnsembleResult>, content: string) => object,
): JsonReply {
  return { body: bodyOf({ result: { degraded: [], plan }, totals: NOTHING }, planSentence(plan)) };
}

/** A plan in the place of a run, as a stream. */
export function streamPlan(plan: EnsemblePlan, head: ReplyHead): StreamReply {
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
