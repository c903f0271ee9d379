import type { FinishReason } from '../../models/model';
import { textOf } from './reply-fields';

/** Longer words name no ending. */
const WORD_CHARACTERS_MAX = 64;

/** Whole endings of all protocols but Gemini's. */
export const WHOLE: ReadonlySet<string> = new Set([
  ...['stop', 'tool_calls', 'function_call', 'end_turn', 'stop_sequence', 'tool_use'],
  ...['eos', 'eos_token', 'complete', 'completed'],
]);

/** Endings of a reply that is cut off, in the words of all protocols and of servers that are compatible with them. */
const CUTS: Readonly<Record<Exclude<FinishReason, 'stop' | 'unknown'>, readonly string[]>> = {
  length: ['length', 'max_tokens', 'max_output_tokens', 'max_tool_calls', 'max_length', 'model_length', 'pause_turn'],
  context_window: ['model_context_window_exceeded', 'context_window_exceeded', 'context_length_exceeded'],
  content_filter: [
    ...['content_filter', 'content_filtered', 'refusal', 'sensitive', 'guardrail_intervened'],
    ...['safety', 'recitation', 'language', 'blocklist', 'prohibited_content', 'spii'],
    ...['image_safety', 'image_prohibited_content', 'image_recitation'],
  ],
  failed: [
    ...['error', 'network_error', 'abort', 'aborted', 'cancelled', 'insufficient_system_resource'],
    ...['malformed_function_call', 'unexpected_tool_call', 'malformed_response', 'too_many_tool_calls'],
  ],
};
const CUT_OF_WORD = new Map(
  Object.entries(CUTS).flatMap(([reason, words]) => words.map((word) => [word, reason as FinishReason])),
);

/** Meaning of a provider's word for an ending, in letters of either case: `stop` only where it is one of `whole`. */
export function finishReasonOf(word: unknown, whole: ReadonlySet<string>): FinishReason {
  const small = textOf(word).slice(0, WORD_CHARACTERS_MAX).toLowerCase();
  return whole.has(small) ? 'stop' : (CUT_OF_WORD.get(small) ?? 'unknown');
}
