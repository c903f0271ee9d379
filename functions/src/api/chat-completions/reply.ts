import type { EnsembleResult } from '../../ensemble/open-ensemble';
import type { Finished } from '../../runs/run';
import type { ReplyHead } from '../answer/reply-head';
import { finishReasonOf, toolCallBody, usageBody } from '../answer/reply-parts';
import { comparisonBody, endingBody } from '../answer/result-parts';

/** A chat completion in one piece (`docs/api.md`, Chat completions). */
export function completionBody(
  { id, created, model, ignored }: ReplyHead,
  { result, totals }: Finished<EnsembleResult>,
  content: string,
): object {
  const { explanation, toolCalls, reasoning } = result;
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          // As in OpenAI's API, which tool loops are written for.
          content: toolCalls && content === '' ? null : content,
          tool_calls: toolCalls?.map(toolCallBody),
          ...reasoning,
          explanation,
        },
        finish_reason: finishReasonOf(result),
        ...comparisonBody(result),
      },
    ],
    ...endingBody(result, ignored),
    usage: usageBody(totals),
  };
}
