import { type CallListener, type FinishReason, ModelFault } from '../../models/model';
import type { ServerSentEvent } from '../transport/event-stream';
import { reportedFault } from '../transport/provider-fault';
import { type Fields, fieldsOf, isCount, parseJson, textOf, usageReport } from '../transport/reply-fields';

/** `tool_use`, `pause_turn` and words to come are `other`. */
const FINISH_REASONS: ReadonlyMap<unknown, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['refusal', 'content_filter'],
]);

/**
 * Reads the events of one Messages stream and tells the listener. `ping` is no sign of life: it says that the
 * connection lives, not the model. Every method throws `ModelFault`: `protocol` for what is not JSON, else what the
 * provider reported.
 */
export class AnthropicReply {
  readonly #listener: CallListener;
  #stopReason: FinishReason = 'other';
  #stopped = false;
  /** The prompt's counts so far: the end of the stream may repeat them, correct them, or leave them out. */
  #prompt: Fields = {};

  constructor(listener: CallListener) {
    this.#listener = listener;
  }

  /** Takes one event. Hot path: one JSON.parse and a few property reads. */
  event({ data }: ServerSentEvent): Promise<void> | 'stop' | undefined {
    if (data === '') return undefined;
    const event = parseJson(data);
    const { type, message, delta, usage, error } = fieldsOf(event);
    if (error || type === 'error') throw reportedFault(error ?? event);
    switch (type) {
      case 'content_block_delta':
        return this.#delta(delta);
      case 'content_block_start':
      case 'content_block_stop':
        this.#listener.alive();
        return undefined;
      case 'message_start':
        this.#listener.alive();
        this.#usage(fieldsOf(message)['usage']);
        return undefined;
      case 'message_delta':
        this.#stopReason = FINISH_REASONS.get(fieldsOf(delta)['stop_reason']) ?? 'other';
        this.#usage(usage);
        return undefined;
      case 'message_stop':
        this.#stopped = true;
        return 'stop';
      default:
        return undefined;
    }
  }

  /** Why the model stopped. Throws `network` when the stream ended before `message_stop`: it was cut off. */
  finishReason(): FinishReason {
    if (!this.#stopped) throw new ModelFault('network');
    return this.#stopReason;
  }

  #delta(delta: unknown): Promise<void> | undefined {
    const { type, text } = fieldsOf(delta);
    if (type === 'text_delta') return textOf(text) === '' ? undefined : this.#listener.text(textOf(text));
    this.#listener.alive();
    return undefined;
  }

  /** Anthropic counts cached prompt tokens apart from `input_tokens`; ours are gross. */
  #usage(usage: unknown): void {
    const fields = fieldsOf(usage);
    for (const key of ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const) {
      if (isCount(fields[key])) this.#prompt = { ...this.#prompt, [key]: fields[key] };
    }
    const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens } = this.#prompt;
    const { thinking_tokens } = fieldsOf(fields['output_tokens_details']);
    this.#listener.usage(
      usageReport({
        promptTokens: isCount(input_tokens)
          ? sum([input_tokens, cache_read_input_tokens, cache_creation_input_tokens])
          : undefined,
        completionTokens: fields['output_tokens'],
        cachedPromptTokens: cache_read_input_tokens,
        cacheWritePromptTokens: cache_creation_input_tokens,
        reasoningTokens: thinking_tokens,
      }),
    );
  }
}

function sum(counts: readonly unknown[]): number {
  return counts.filter(isCount).reduce((total, count) => total + count, 0);
}
