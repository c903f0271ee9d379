import type { EnsembleResult } from '../../ensemble/open-ensemble';
import type { Finished } from '../../runs/run';
import { planBody } from '../answer/plan-body';
import type { ReplyHead } from '../answer/reply-head';
import { candidateBody, unlessEmpty } from '../answer/reply-parts';

/** A response in one piece (`docs/api.md`, Responses). Its content parts are of type `text`, not `output_text`. */
export function responseBody(
  { id, created, model, ignored }: ReplyHead,
  { result, totals }: Finished<EnsembleResult>,
  content: string,
): object {
  const {
    explanation,
    candidates,
    agreement,
    checks,
    agreementByPlace,
    followUpPrompts,
    sources,
    unsupportedUrls,
    degraded,
    plan,
  } = result;
  const { promptTokens, completionTokens, webSearches, unpricedModels } = totals;
  return {
    id,
    object: 'response',
    created,
    model,
    output: [
      {
        type: 'message',
        id: id.replace('resp_', 'msg_'),
        role: 'assistant',
        content: [{ type: 'text', text: content }],
      },
    ],
    explanation,
    candidates: candidates?.map(candidateBody),
    checks,
    // Where both could be told, the finer one is (docs/api.md, Agreement).
    agreement: agreementByPlace ?? agreement,
    followUpPrompts,
    sources,
    unsupportedUrls,
    degraded: unlessEmpty(degraded),
    ignored: unlessEmpty(ignored),
    plan: plan && planBody(plan),
    usage: {
      input_tokens: promptTokens,
      output_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
      web_searches: webSearches,
      unpriced_models: unlessEmpty(unpricedModels),
    },
  };
}
