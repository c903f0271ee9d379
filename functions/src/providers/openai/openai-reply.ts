import { type CallListener, type FinishReason, ModelFault, type ReportedUsage } from '../../models/model';
import type { FoundPage } from '../../models/web-search';
import { CalledTools } from '../transport/called-tools';
import type { ServerSentEvent } from '../transport/event-stream';
import { reportedFault } from '../transport/provider-fault';
import { type Fields, fieldsOf, firstOf, isCount, parseJson, textOf, usageReport } from '../transport/reply-fields';
import { readToolCalls } from './openai-tools';

/** `tool_calls` and words of other servers are `other`. */
const FINISH_REASONS: ReadonlyMap<unknown, FinishReason> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['content_filter', 'content_filter'],
]);

/**
 * Reads one Chat Completions reply, as chunks or whole, and tells the listener. Only the first choice is read: no more
 * are asked for. Every method throws `ModelFault`: `protocol` for what is not JSON, else what the provider reported.
 */
export class OpenAiReply {
  readonly #listener: CallListener;
  readonly #called: CalledTools;
  #begun = false;
  #finishReason: FinishReason | undefined;

  constructor(listener: CallListener) {
    this.#listener = listener;
    this.#called = new CalledTools(listener);
  }

  /** Takes one event of a stream. Hot path: one JSON.parse and a few property reads. */
  event({ event, data }: ServerSentEvent): Promise<void> | 'stop' | undefined {
    if (data === '[DONE]') {
      this.#finishReason ??= 'other';
      return 'stop';
    }
    if (data === '') return undefined;
    const chunk = parseJson(data);
    const { error, usage, choices } = fieldsOf(chunk);
    if (error || event === 'error') throw reportedFault(error || chunk);
    // The first chunk says that the model has begun; later ones may be empty, and say only that the connection lives.
    if (!this.#begun) this.#listener.alive();
    this.#begun = true;
    const { delta, finish_reason } = fieldsOf(firstOf(choices));
    this.#finishedBy(finish_reason);
    const taken = this.#message(fieldsOf(delta));
    // After the text of the same chunk, which it counts.
    if (usage) this.#usage(usage);
    return taken;
  }

  /** Takes a whole completion, as a server sends it that ignores `stream`. */
  async completion(body: string): Promise<void> {
    const { error, usage, choices } = fieldsOf(parseJson(body));
    if (error) throw reportedFault(error);
    const choice = firstOf(choices);
    if (!choice) throw new ModelFault('protocol');
    if (usage) this.#usage(usage);
    const { message, finish_reason } = fieldsOf(choice);
    this.#finishReason = 'other';
    this.#finishedBy(finish_reason);
    await this.#message(fieldsOf(message));
  }

  /** The reply has ended: why the model stopped. Throws `network` when the stream did not say: it was cut off. */
  async end(): Promise<FinishReason> {
    if (!this.#finishReason) throw new ModelFault('network');
    await this.#called.end();
    return this.#finishReason;
  }

  #finishedBy(reason: unknown): void {
    if (reason) this.#finishReason = FINISH_REASONS.get(reason) ?? 'other';
  }

  #usage(usage: unknown): void {
    const { web_search_requests: searches } = fieldsOf(fieldsOf(usage)['server_tool_use']);
    if (isCount(searches) && searches > 0) this.#listener.web({ searches });
    this.#listener.usage(usageOf(usage));
  }

  #message({ content, refusal, tool_calls, annotations, ...thoughts }: Fields): Promise<void> | undefined {
    // Compatible servers name hidden reasoning in one of three ways; where it is encrypted only the last is there.
    if (thoughts['reasoning_content'] || thoughts['reasoning'] || firstOf(thoughts['reasoning_details'])) {
      this.#listener.alive('thinks');
    }
    const text = textOf(content) || textOf(refusal);
    const taken = text === '' ? undefined : this.#listener.text(text);
    if (Array.isArray(annotations)) this.#listener.web({ pages: citedPages(annotations) });
    if (!tool_calls) return taken;
    const called = readToolCalls(tool_calls, this.#called);
    return taken && called ? Promise.all([taken, called]).then(() => undefined) : (taken ?? called);
  }
}

/** The pages that `url_citation` annotations name. */
function citedPages(annotations: readonly unknown[]): FoundPage[] {
  return annotations.map((annotation) => {
    const { url, title } = fieldsOf(fieldsOf(annotation)['url_citation']);
    return { url, title, isCited: true };
  });
}

function usageOf(usage: unknown): ReportedUsage {
  const fields = fieldsOf(usage);
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = fields;
  const { cached_tokens, cache_write_tokens } = fieldsOf(fields['prompt_tokens_details']);
  const { reasoning_tokens } = fieldsOf(fields['completion_tokens_details']);
  return usageReport({
    promptTokens: prompt,
    // OpenAI counts reasoning as completion tokens. Some servers (xAI, Gemini's compatible endpoint) leave it out of them
    // and bill it all the same: there the total exceeds prompt and completion, and the difference was generated.
    completionTokens:
      isCount(total) && isCount(prompt) && isCount(completion) ? Math.max(completion, total - prompt) : completion,
    cachedPromptTokens: cached_tokens,
    cacheWritePromptTokens: cache_write_tokens,
    reasoningTokens: reasoning_tokens,
  });
}
