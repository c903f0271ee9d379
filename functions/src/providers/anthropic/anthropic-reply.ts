import { type CallListener, type FinishReason, ModelFault } from '../../models/model';
import type { FoundPage } from '../../models/web-search';
import { CalledTools } from '../transport/called-tools';
import type { ServerSentEvent } from '../transport/event-stream';
import { reportedFault } from '../transport/provider-fault';
import { type Fields, fieldsOf, isCount, parseJson, textOf, usageReport } from '../transport/reply-fields';

/** `tool_use` and words to come are `other`; a turn that is paused while tools of the provider's run is not whole. */
const FINISH_REASONS: ReadonlyMap<unknown, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['pause_turn', 'length'],
  ['refusal', 'content_filter'],
]);

/**
 * Reads the events of one Messages stream and tells the listener. `ping` is no sign of life: it says that the
 * connection lives, not the model. Every method throws `ModelFault`: `protocol` for what is not JSON, else what the
 * provider reported.
 */
export class AnthropicReply {
  readonly #listener: CallListener;
  readonly #called: CalledTools;
  /** The blocks of the reply that are calls. */
  readonly #calls = new Set<unknown>();
  #stopReason: FinishReason = 'other';
  #stopped = false;
  #searches = 0;
  /** The prompt's counts so far: the end of the stream may repeat them, correct them, or leave them out. */
  #prompt: Fields = {};

  constructor(listener: CallListener) {
    this.#listener = listener;
    this.#called = new CalledTools(listener);
  }

  /** Takes one event. Hot path: one JSON.parse and a few property reads. */
  event({ data }: ServerSentEvent): Promise<void> | 'stop' | undefined {
    if (data === '') return undefined;
    const event = parseJson(data);
    const { type, message, delta, usage, error, index, content_block } = fieldsOf(event);
    if (error || type === 'error') throw reportedFault(error ?? event);
    switch (type) {
      case 'content_block_delta':
        return this.#delta(delta, index);
      case 'content_block_start':
        return this.#block(fieldsOf(content_block), index);
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

  /** The reply has ended: why the model stopped. Throws `network` before `message_stop`: the stream was cut off. */
  async end(): Promise<FinishReason> {
    if (!this.#stopped) throw new ModelFault('network');
    await this.#called.end();
    return this.#stopReason;
  }

  #block({ type, id, name, input, content }: Fields, index: unknown): Promise<void> | undefined {
    this.#listener.alive();
    if (type === 'web_search_tool_result') this.#found(content);
    if (type !== 'tool_use') return undefined;
    this.#calls.add(index);
    // It comes in deltas; some servers have it here.
    const text = Object.keys(fieldsOf(input)).length > 0 ? JSON.stringify(input) : '';
    return this.#called.take({ key: index, id: textOf(id), name: textOf(name), arguments: text });
  }

  #delta(delta: unknown, index: unknown): Promise<void> | undefined {
    const { type, text, partial_json } = fieldsOf(delta);
    if (type === 'text_delta') return textOf(text) === '' ? undefined : this.#listener.text(textOf(text));
    this.#listener.alive();
    if (type === 'citations_delta')
      this.#listener.web({ pages: [{ ...pageOf(fieldsOf(delta)['citation']), isCited: true }] });
    if (type !== 'input_json_delta' || !this.#calls.has(index)) return undefined;
    return this.#called.take({ key: index, id: '', name: '', arguments: textOf(partial_json) });
  }

  /** What one search brought: a list of pages, or an error, for which nothing is billed. */
  #found(content: unknown): void {
    if (!Array.isArray(content)) return;
    this.#searches += 1;
    this.#listener.web({ searches: this.#searches, pages: content.map(pageOf) });
  }

  /** Anthropic counts cached prompt tokens apart from `input_tokens`; ours are gross. */
  #usage(usage: unknown): void {
    const fields = fieldsOf(usage);
    for (const key of ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const) {
      if (isCount(fields[key])) this.#prompt = { ...this.#prompt, [key]: fields[key] };
    }
    const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens } = this.#prompt;
    const { thinking_tokens } = fieldsOf(fields['output_tokens_details']);
    const { web_search_requests: searches } = fieldsOf(fields['server_tool_use']);
    if (isCount(searches) && searches > 0) this.#listener.web({ searches });
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

function pageOf(value: unknown): FoundPage {
  const { url, title } = fieldsOf(value);
  return { url, title };
}

function sum(counts: readonly unknown[]): number {
  return counts.filter(isCount).reduce((total, count) => total + count, 0);
}
