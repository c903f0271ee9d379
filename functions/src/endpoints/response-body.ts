import type { SpendTotals } from '../usage/books';
import { candidateBody, unpricedBody } from './completion-body';
import type { ChunkMeta } from './endpoint';
import type { Collected } from './open-run';

/**
 * The spec's `ResponsesResponse`. Its content parts are of type `text`, by the spec, not `output_text`. What an ensemble
 * has beside its answer stands at the top, as `output` has no place for it.
 */
export function responseBody({ id, created, model }: ChunkMeta, collected: Collected): object {
  const { content, explanation, candidates, followUpPrompts, degraded, totals } = collected;
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
    ...(explanation !== undefined && { explanation }),
    ...(candidates && { candidates: candidates.map(candidateBody) }),
    ...(followUpPrompts && { followUpPrompts }),
    ...(degraded.length > 0 && { degraded }),
    usage: responseUsage(totals),
  };
}

/** The three integers that the spec gives this endpoint, no details, and what the candidates' costs leave out. */
function responseUsage(totals: SpendTotals): object {
  const { promptTokens, completionTokens } = totals;
  return {
    input_tokens: promptTokens,
    output_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...unpricedBody(totals),
  };
}
