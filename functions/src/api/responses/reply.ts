import type { EnsembleResult } from '../../ensemble/open-ensemble';
import type { Finished } from '../../runs/run';
import type { ReplyHead } from '../answer/reply-head';
import { unlessEmpty } from '../answer/reply-parts';
import { comparisonBody, endingBody } from '../answer/result-parts';

/** A response in one piece (`docs/api.md`, Responses). Its content parts are of type `text`, not `output_text`. */
export function responseBody(
  { id, created, model, ignored }: ReplyHead,
  { result, totals }: Finished<EnsembleResult>,
  content: string,
): object {
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
    explanation: result.explanation,
    ...comparisonBody(result),
    ...endingBody(result, ignored),
    usage: {
      input_tokens: promptTokens,
      output_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
      web_searches: webSearches,
      unpriced_models: unlessEmpty(unpricedModels),
    },
  };
}
