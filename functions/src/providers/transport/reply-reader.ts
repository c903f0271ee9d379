import type { CallListener, FinishReason } from '../../models/model';
import { ModelFault } from '../../models/model-fault';
import { CalledTools } from './called-tools';
import { type Fields, textOf } from './reply-fields';

/** Longer words name no ending. */
const WORD_CHARACTERS_MAX = 64;

/** Whole endings of all protocols but Gemini's. */
const WHOLE: ReadonlySet<string> = new Set([
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

/** Outcome of one object of a reply: a promise to wait for, or `stop` where it was the last one. */
export type Taken = Promise<void> | 'stop' | undefined;

/** Reads the objects of one reply, tells the listener, and keeps the reason of its ending. */
export abstract class ReplyReader {
  protected readonly listener: CallListener;
  protected readonly called: CalledTools;
  readonly #whole: ReadonlySet<string>;
  #finishReason: FinishReason | undefined;

  /** `whole`: the words for an ending that leaves nothing out, in small letters. */
  constructor(listener: CallListener, whole = WHOLE) {
    this.listener = listener;
    this.called = new CalledTools(listener);
    this.#whole = whole;
  }

  /**
   * Takes one object: an event of a stream, or a reply in one piece. Hot path: a few property reads. Throws `ModelFault`
   * with the failure that the provider reports in it.
   */
  abstract take(fields: Fields, event: string | undefined): Taken;

  /** True once the reason of the ending is known: whatever frame is missing behind it, the reply is there. */
  get hasEnded(): boolean {
    return this.#finishReason !== undefined;
  }

  /** Notes the provider's word for the ending; none is no ending. */
  protected endsBy(word: unknown): void {
    if (word && word !== 'null') this.#finishReason = finishReasonOf(word, this.#whole);
  }

  /** The mark of the end has come: without a reason before it, nothing tells that the reply is whole. */
  endMark(): 'stop' {
    this.#finishReason ??= 'unknown';
    return 'stop';
  }

  /** Reason of the ending, once nothing more comes. Throws `network` where the stream told none: it was cut off. */
  async end(): Promise<FinishReason> {
    if (!this.#finishReason) throw new ModelFault('network');
    await this.called.end();
    return this.#finishReason;
  }
}

/** Meaning of a provider's word for an ending, in letters of either case: `stop` only where it is one of `whole`. */
function finishReasonOf(word: unknown, whole: ReadonlySet<string>): FinishReason {
  const small = textOf(word).slice(0, WORD_CHARACTERS_MAX).toLowerCase();
  return whole.has(small) ? 'stop' : (CUT_OF_WORD.get(small) ?? 'unknown');
}
