import { type CallListener, type FinishReason, ModelFault } from '../../models/model';
import type { ServerSentEvent } from '../transport/event-stream';
import { reportedFault } from '../transport/provider-fault';
import { type Fields, fieldsOf, parseJson, textOf, usageReport } from '../transport/reply-fields';

/** Why a reply is not whole; words to come are `other`. */
const INCOMPLETE: ReadonlyMap<unknown, FinishReason> = new Map([
  ['max_output_tokens', 'length'],
  ['max_tool_calls', 'length'],
  ['content_filter', 'content_filter'],
]);

/**
 * Reads the events of one stream of the Responses protocol and tells the listener. Every method throws `ModelFault`:
 * `protocol` for what is not JSON, else what the provider reported.
 */
export class OpenAiResponsesReply {
  readonly #listener: CallListener;
  #finishReason: FinishReason | undefined;
  #searches = 0;

  constructor(listener: CallListener) {
    this.#listener = listener;
  }

  /** Takes one event. Hot path: one JSON.parse and a few property reads. */
  event({ data }: ServerSentEvent): Promise<void> | 'stop' | undefined {
    if (data === '' || data === '[DONE]') return undefined;
    const event = fieldsOf(parseJson(data));
    const { type, delta, annotation, item, response } = event;
    switch (type) {
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        return textOf(delta) === '' ? undefined : this.#listener.text(textOf(delta));
      case 'response.output_text.annotation.added':
        this.#cited(fieldsOf(annotation));
        return undefined;
      case 'response.output_item.done':
        this.#done(fieldsOf(item));
        return undefined;
      case 'response.completed':
      case 'response.incomplete':
        return this.#ended(fieldsOf(response), type);
      case 'response.failed':
        throw reportedFault(fieldsOf(response)['error'] ?? event);
      case 'error':
        throw reportedFault(event['error'] ?? event);
      default:
        this.#listener.alive(textOf(type).startsWith('response.reasoning') ? 'thinks' : undefined);
        return undefined;
    }
  }

  /** The reply has ended: why the model stopped. Throws `network` when the stream did not say: it was cut off. */
  async end(): Promise<FinishReason> {
    if (!this.#finishReason) throw new ModelFault('network');
    return this.#finishReason;
  }

  #cited({ type, url, title }: Fields): void {
    if (type === 'url_citation') this.#listener.web({ pages: [{ url, title, isCited: true }] });
  }

  /** Only what searches is billed: pages are opened and looked through for nothing. */
  #done({ type, action }: Fields): void {
    this.#listener.alive();
    if (type !== 'web_search_call' || fieldsOf(action)['type'] !== 'search') return;
    this.#searches += 1;
    this.#listener.web({ searches: this.#searches });
  }

  #ended({ usage, incomplete_details: details }: Fields, type: string): 'stop' {
    if (usage) this.#usage(fieldsOf(usage));
    const reason = INCOMPLETE.get(fieldsOf(details)['reason']) ?? 'other';
    this.#finishReason = type === 'response.completed' ? 'stop' : reason;
    return 'stop';
  }

  #usage(usage: Fields): void {
    const { cached_tokens, cache_write_tokens } = fieldsOf(usage['input_tokens_details']);
    this.#listener.usage(
      usageReport({
        promptTokens: usage['input_tokens'],
        completionTokens: usage['output_tokens'],
        cachedPromptTokens: cached_tokens,
        cacheWritePromptTokens: cache_write_tokens,
        reasoningTokens: fieldsOf(usage['output_tokens_details'])['reasoning_tokens'],
      }),
    );
  }
}
