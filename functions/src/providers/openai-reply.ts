import { type CallListener, type FinishReason, ModelFault, type ReportedUsage } from '../models/model';
import type { ServerSentEvent } from './event-stream';
import { fieldsOf, firstOf, parseJson, textOf } from './json-fields';
import { reportedFault } from './provider-fault';
import { isCount, usageReport } from './usage-report';

type UsageField =
  | 'prompt_tokens'
  | 'completion_tokens'
  | 'total_tokens'
  | 'prompt_tokens_details'
  | 'completion_tokens_details';
type MessageField = 'content' | 'refusal' | 'reasoning' | 'reasoning_content';

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
  #finishReason: FinishReason | undefined;

  constructor(listener: CallListener) {
    this.#listener = listener;
  }

  /** Takes one event of a stream. Hot path: one JSON.parse and a few property reads. */
  event({ event, data }: ServerSentEvent): Promise<void> | 'stop' | undefined {
    if (data === '[DONE]') {
      this.#finishReason ??= 'other';
      return 'stop';
    }
    if (data === '') return undefined;
    const chunk = parseJson(data);
    const { error, usage, choices } = fieldsOf<'error' | 'usage' | 'choices'>(chunk);
    if (error || event === 'error') throw reportedFault(error || chunk);
    const { delta, finish_reason } = fieldsOf<'delta' | 'finish_reason'>(firstOf(choices));
    this.#finishedBy(finish_reason);
    const taken = this.#message(fieldsOf(delta));
    // After the text of the same chunk, which it counts.
    if (usage) this.#listener.usage(usageOf(usage));
    return taken;
  }

  /** Takes a whole completion, as a server sends it that ignores `stream`. */
  async completion(body: string): Promise<void> {
    const { error, usage, choices } = fieldsOf<'error' | 'usage' | 'choices'>(parseJson(body));
    if (error) throw reportedFault(error);
    const choice = firstOf(choices);
    if (!choice) throw new ModelFault('protocol');
    if (usage) this.#listener.usage(usageOf(usage));
    const { message, finish_reason } = fieldsOf<'message' | 'finish_reason'>(choice);
    this.#finishReason = 'other';
    this.#finishedBy(finish_reason);
    await this.#message(fieldsOf(message));
  }

  /** Why the model stopped. Throws `network` when the stream ended without saying: it was cut off. */
  finishReason(): FinishReason {
    if (!this.#finishReason) throw new ModelFault('network');
    return this.#finishReason;
  }

  #finishedBy(reason: unknown): void {
    if (reason) this.#finishReason = FINISH_REASONS.get(reason) ?? 'other';
  }

  #message(message: { readonly [Key in MessageField]?: unknown }): Promise<void> | undefined {
    // Compatible servers name hidden reasoning in one of two ways.
    if (message.reasoning_content || message.reasoning) this.#listener.alive();
    const text = textOf(message.content) || textOf(message.refusal);
    return text === '' ? undefined : this.#listener.text(text);
  }
}

/**
 * OpenAI counts reasoning as completion tokens. Some servers (xAI, Gemini's compatible endpoint) leave it out of them
 * and bill it all the same: there the total exceeds prompt and completion, and the difference was generated.
 */
function generatedTokens(fields: { readonly [Key in UsageField]?: unknown }): unknown {
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = fields;
  return isCount(total) && isCount(prompt) && isCount(completion) ? Math.max(completion, total - prompt) : completion;
}

function usageOf(usage: unknown): ReportedUsage {
  const fields = fieldsOf<UsageField>(usage);
  const prompt = fieldsOf<'cached_tokens' | 'cache_write_tokens'>(fields.prompt_tokens_details);
  return usageReport({
    promptTokens: fields.prompt_tokens,
    completionTokens: generatedTokens(fields),
    cachedPromptTokens: prompt.cached_tokens,
    cacheWritePromptTokens: prompt.cache_write_tokens,
    reasoningTokens: fieldsOf<'reasoning_tokens'>(fields.completion_tokens_details).reasoning_tokens,
  });
}
