import type { FoundPage } from '../../models/web-search';
import { reportedFault } from '../transport/provider-fault';
import { ReplyReader, type Taken } from '../transport/read-reply';
import {
  argumentsText,
  countOf,
  type Fields,
  fieldsOf,
  spokenOf,
  summaryOf,
  textOf,
  usageReport,
} from '../transport/reply-fields';

/** Reads a Messages stream, or a message in one piece. `ping` says that the connection lives, not the model. */
export class AnthropicReply extends ReplyReader {
  /** The blocks of the reply that are calls. */
  readonly #calls = new Set<unknown>();
  #searches = 0;
  /** The prompt's counts so far: the end of the stream may repeat them, correct them, or leave them out. */
  #prompt: Partial<Record<'input_tokens' | 'cache_read_input_tokens' | 'cache_creation_input_tokens', number>> = {};

  take(fields: Fields, event: string | undefined): Taken {
    const { type, message, delta, usage, error, index, content_block } = fields;
    if (error || type === 'error' || event === 'error') throw reportedFault(error ?? fields);
    switch (type) {
      case 'content_block_delta':
        return this.#delta(delta, index);
      case 'content_block_start':
        return this.#block(fieldsOf(content_block), index);
      case 'content_block_stop':
        this.listener.alive();
        return undefined;
      case 'message_start':
        this.listener.alive();
        this.#usage(fieldsOf(message)['usage']);
        return undefined;
      case 'message_delta':
        this.endsBy(fieldsOf(delta)['stop_reason']);
        this.#usage(usage);
        return undefined;
      case 'message_stop':
        return this.endMark();
      case 'message':
        return this.#whole(fields);
      default:
        return undefined;
    }
  }

  async #whole({ content, stop_reason, usage }: Fields): Promise<void> {
    const blocks = Array.isArray(content) ? content : [{ type: 'text', text: content }];
    for (const [index, block] of blocks.entries()) await this.#block(fieldsOf(block), index);
    this.endsBy(stop_reason);
    this.#usage(usage);
    this.endMark();
  }

  /** A block has what is known of it at its beginning: nothing of its text as a rule, all of it in a message in one piece. */
  #block({ type, id, name, input, content, text, thinking }: Fields, index: unknown): Promise<void> | undefined {
    this.listener.alive();
    if (type === 'web_search_tool_result') this.#found(content);
    if (type === 'text' && spokenOf(text) !== '') return this.listener.text(spokenOf(text));
    if (type === 'thinking' && textOf(thinking) !== '') return this.think(summaryOf(thinking));
    if (type !== 'tool_use') return undefined;
    this.#calls.add(index);
    // It comes in deltas; some servers have it here.
    const isEmpty = typeof input === 'object' && Object.keys(input ?? {}).length === 0;
    const args = isEmpty ? '' : argumentsText(input);
    return this.called.take({ key: index, id: textOf(id), name: textOf(name), arguments: args });
  }

  #delta(delta: unknown, index: unknown): Promise<void> | undefined {
    const { type, text, partial_json, thinking } = fieldsOf(delta);
    if (type === 'text_delta') return spokenOf(text) === '' ? undefined : this.listener.text(spokenOf(text));
    if (type === 'thinking_delta') return this.think(summaryOf(thinking));
    this.listener.alive();
    if (type === 'citations_delta')
      this.listener.web({ pages: [{ ...pageOf(fieldsOf(delta)['citation']), isCited: true }] });
    if (type !== 'input_json_delta' || !this.#calls.has(index)) return undefined;
    return this.called.take({ key: index, id: '', name: '', arguments: argumentsText(partial_json) });
  }

  /** Reads the result of one search: a list of pages, or an error, for which nothing is billed. */
  #found(content: unknown): void {
    if (!Array.isArray(content)) return;
    this.#searches += 1;
    this.listener.web({ searches: this.#searches, pages: content.map(pageOf) });
  }

  /** Anthropic counts cached prompt tokens apart from `input_tokens`; ours are gross. */
  #usage(usage: unknown): void {
    const fields = fieldsOf(usage);
    for (const key of ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const) {
      const count = countOf(fields[key]);
      if (count !== undefined) this.#prompt = { ...this.#prompt, [key]: count };
    }
    const { input_tokens: input, cache_read_input_tokens: read, cache_creation_input_tokens: written } = this.#prompt;
    const { thinking_tokens } = fieldsOf(fields['output_tokens_details']);
    const searches = countOf(fieldsOf(fields['server_tool_use'])['web_search_requests']);
    if (searches) this.listener.web({ searches });
    this.listener.usage(
      usageReport({
        promptTokens: input === undefined ? undefined : input + (read ?? 0) + (written ?? 0),
        completionTokens: fields['output_tokens'],
        cachedPromptTokens: read,
        cacheWritePromptTokens: written,
        reasoningTokens: thinking_tokens,
      }),
    );
  }
}

function pageOf(value: unknown): FoundPage {
  const { url, title } = fieldsOf(value);
  return { url, title };
}
