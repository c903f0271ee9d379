import type { FailedCall } from './gateway/gateway-call';
import type { FinishReason } from './model';

/** A failure as people read it: `rate_limited` → `rate limited`, with the limit where that was the cause and is known. */
export function faultWords({ fault, outputTokens }: Pick<FailedCall, 'fault' | 'outputTokens'>): string {
  if (fault === 'output_limit_used_up' && outputTokens !== undefined) {
    return `output limit of ${outputTokens} tokens used up`;
  }
  return fault.replaceAll('_', ' ');
}

const CUT_WORDS: Readonly<Record<Exclude<FinishReason, 'stop'>, string>> = {
  length: 'reached its length limit',
  context_window: 'filled its context window',
  content_filter: 'was stopped by a content filter',
  failed: 'was broken off by its provider',
  unknown: 'gave no known reason for its end',
};

/** Note on a text that is not known to be whole: `Ada reached its length limit: the answer is cut off`. Undefined for a whole one. */
export function cutNote(label: string, text: string, reason: FinishReason): string | undefined {
  if (reason === 'stop') return undefined;
  return `${label} ${CUT_WORDS[reason]}: ${text} ${reason === 'unknown' ? 'may be' : 'is'} cut off`;
}
