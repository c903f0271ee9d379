import { type CallListener, type FinishReason, ModelFault } from '../../models/model';
import { isBilledByPrompt } from '../../models/web-search';
import { CalledTools } from '../transport/called-tools';
import type { ServerSentEvent } from '../transport/event-stream';
import { reportedFault } from '../transport/provider-fault';
import { type Fields, fieldsOf, firstOf, isCount, parseJson, textOf, usageReport } from '../transport/reply-fields';
import { readFunctionCall } from './google-tools';

/** Tool trouble and words to come are `other`. */
const FINISH_REASONS: ReadonlyMap<unknown, FinishReason> = new Map([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'content_filter'],
  ['RECITATION', 'content_filter'],
  ['BLOCKLIST', 'content_filter'],
  ['PROHIBITED_CONTENT', 'content_filter'],
  ['SPII', 'content_filter'],
]);

/** No model searches so often; what a provider says is not to fill the memory. */
const QUERIES_MAX = 1_000;

/** What is read of `usageMetadata`. */
const COUNTS = [
  'promptTokenCount',
  'candidatesTokenCount',
  'thoughtsTokenCount',
  'toolUsePromptTokenCount',
  'cachedContentTokenCount',
] as const;

/**
 * Reads the chunks of one Gemini stream and tells the listener. Thoughts, shown or only counted, are a sign of life,
 * never answer text.
 */
export class GoogleReply {
  readonly #listener: CallListener;
  readonly #called: CalledTools;
  #finishReason: FinishReason | undefined;
  readonly #isBilledOnce: boolean;
  readonly #queries = new Set<string>();
  #thoughtTokens = 0;
  /** The counts so far: each chunk's are cumulative, and may leave out some. */
  #counts: Fields = {};

  constructor(listener: CallListener, providerModel = '') {
    this.#listener = listener;
    this.#isBilledOnce = isBilledByPrompt(providerModel);
    this.#called = new CalledTools(listener);
  }

  /** Takes one event: throws `protocol` for what is not JSON, `content_filter` for a blocked prompt, else what the provider reported. */
  event({ data }: ServerSentEvent): Promise<void> | undefined {
    if (data === '') return undefined;
    const { candidates, promptFeedback, usageMetadata, error } = fieldsOf(parseJson(data));
    try {
      if (error) throw reportedFault(error);
      if (fieldsOf(promptFeedback)['blockReason']) throw new ModelFault('content_filter');
      const { content, finishReason, groundingMetadata } = fieldsOf(firstOf(candidates));
      if (groundingMetadata) this.#grounded(fieldsOf(groundingMetadata));
      if (finishReason) this.#finishReason = FINISH_REASONS.get(finishReason) ?? 'other';
      return this.#parts(fieldsOf(content)['parts']);
    } finally {
      // After the text of the same chunk, which it counts.
      if (usageMetadata) this.#usage(usageMetadata);
    }
  }

  /** The reply has ended: why the model stopped. Throws `network` when the stream did not say: it was cut off. */
  async end(): Promise<FinishReason> {
    if (!this.#finishReason) throw new ModelFault('network');
    await this.#called.end();
    return this.#finishReason;
  }

  #parts(parts: unknown): Promise<void> | undefined {
    let answer = '';
    const waits: (Promise<void> | undefined)[] = [];
    for (const part of Array.isArray(parts) ? parts : []) {
      const fields = fieldsOf(part);
      if (fields['functionCall']) waits.push(readFunctionCall(fields, this.#called));
      else if (fields['thought'] === true) this.#listener.alive();
      else answer += textOf(fields['text']);
    }
    const taken = answer === '' ? undefined : this.#listener.text(answer);
    return waits.length === 0 ? taken : Promise.all([taken, ...waits]).then(() => undefined);
  }

  /** Each query is billed once, blank ones are not; of some models the whole prompt is, once. */
  #grounded({ groundingChunks: chunks, webSearchQueries: queries }: Fields): void {
    for (const query of Array.isArray(queries) ? queries : []) {
      if (textOf(query).trim() !== '' && this.#queries.size < QUERIES_MAX) this.#queries.add(textOf(query));
    }
    const pages = (Array.isArray(chunks) ? chunks : []).map((chunk: unknown) => {
      const { uri: url, title } = fieldsOf(fieldsOf(chunk)['web']);
      return { url, title, isCited: true };
    });
    const searches = this.#isBilledOnce ? Math.min(1, this.#queries.size) : this.#queries.size;
    this.#listener.web({ searches, pages });
  }

  /** Gemini counts thoughts apart from the candidates, and tools' prompts apart from the prompt; ours are gross. */
  #usage(usage: unknown): void {
    const reported = fieldsOf(usage);
    // Only what is read: fields of other names, a new one in each chunk, would be copied ever more often.
    for (const name of COUNTS)
      if (reported[name] !== undefined) this.#counts = { ...this.#counts, [name]: reported[name] };
    const { promptTokenCount: prompt, candidatesTokenCount: answer, thoughtsTokenCount: thoughts } = this.#counts;
    // Thoughts that are not shown are counted all the same.
    if (countOf(thoughts) > this.#thoughtTokens) this.#listener.alive();
    this.#thoughtTokens = countOf(thoughts);
    this.#listener.usage(
      usageReport({
        promptTokens: isCount(prompt) ? prompt + countOf(this.#counts['toolUsePromptTokenCount']) : undefined,
        completionTokens: isCount(answer) || isCount(thoughts) ? countOf(answer) + countOf(thoughts) : undefined,
        cachedPromptTokens: this.#counts['cachedContentTokenCount'],
        reasoningTokens: thoughts,
      }),
    );
  }
}

function countOf(value: unknown): number {
  return isCount(value) ? value : 0;
}
