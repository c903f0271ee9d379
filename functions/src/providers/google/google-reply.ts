import type { CallListener } from '../../models/model';
import { ModelFault } from '../../models/model-fault';
import { newCallId } from '../../models/tools';
import { isBilledByPrompt } from '../../models/web-search';
import type { CalledTools } from '../transport/called-tools';
import { reportedFault } from '../transport/provider-fault';
import { ReplyReader, type Taken } from '../transport/read-reply';
import {
  argumentsText,
  countOf,
  type Fields,
  fieldsOf,
  listOf,
  spokenOf,
  summaryOf,
  textOf,
  usageReport,
} from '../transport/reply-fields';

/** Gemini wants back what it signed of its thoughts with a call; clients keep of a call its id, in which it travels. */
export const SIGNATURE_MARK = '__thought__';
const SIGNATURE_CHARACTERS_MAX = 16 * 1024;

/** No model searches so often; what a provider says is not to fill the memory. */
const QUERIES_MAX = 1_000;

/** Fields read of `usageMetadata`. */
const COUNTS = [
  'promptTokenCount',
  'candidatesTokenCount',
  'thoughtsTokenCount',
  'toolUsePromptTokenCount',
  'cachedContentTokenCount',
] as const;

/** Reads the chunks of one Gemini reply. Thoughts, shown or only counted, are a sign of life, never answer text. */
export class GoogleReply extends ReplyReader {
  readonly #isBilledOnce: boolean;
  readonly #queries = new Set<string>();
  #thoughtTokens = 0;
  /** The counts so far: each chunk's are cumulative, and may leave out some. */
  #counts: Fields = {};

  constructor(listener: CallListener, providerModel = '') {
    super(listener, new Set(['stop']));
    this.#isBilledOnce = isBilledByPrompt(providerModel);
  }

  /** Throws `content_filter` for a blocked prompt, else the failure that the provider reports. */
  take({ candidates, promptFeedback, usageMetadata, error }: Fields): Taken {
    try {
      if (error) throw reportedFault(error);
      if (fieldsOf(promptFeedback)['blockReason']) throw new ModelFault('content_filter');
      const { content, finishReason, groundingMetadata } = fieldsOf(listOf(candidates)[0]);
      if (groundingMetadata) this.#grounded(fieldsOf(groundingMetadata));
      this.endsBy(finishReason);
      return this.#parts(fieldsOf(content)['parts']);
    } finally {
      // After the text of the same chunk, which it counts.
      if (usageMetadata) this.#usage(usageMetadata);
    }
  }

  #parts(parts: unknown): Promise<void> | undefined {
    let answer = '';
    const waits: (Promise<void> | undefined)[] = [];
    for (const part of listOf(parts)) {
      const fields = fieldsOf(part);
      if (fields['functionCall']) waits.push(readFunctionCall(fields, this.called));
      else if (fields['thought'] === true) waits.push(this.think(summaryOf(fields['text'])));
      else answer += spokenOf(fields['text']);
    }
    const taken = answer === '' ? undefined : this.listener.text(answer);
    return waits.length === 0 ? taken : Promise.all([taken, ...waits]).then(() => undefined);
  }

  /** Each query is billed once, blank ones are not; of some models the whole prompt is, once. */
  #grounded({ groundingChunks: chunks, webSearchQueries: queries }: Fields): void {
    for (const query of listOf(queries)) {
      if (textOf(query).trim() !== '' && this.#queries.size < QUERIES_MAX) this.#queries.add(textOf(query));
    }
    const pages = listOf(chunks).map((chunk) => {
      const { uri: url, title } = fieldsOf(fieldsOf(chunk)['web']);
      return { url, title, isCited: true };
    });
    const searches = this.#isBilledOnce ? Math.min(1, this.#queries.size) : this.#queries.size;
    this.listener.web({ searches, pages });
  }

  /** Gemini counts thoughts apart from the candidates, and tools' prompts apart from the prompt; ours are gross. */
  #usage(usage: unknown): void {
    const reported = fieldsOf(usage);
    // Only what is read: fields of other names, a new one in each chunk, would be copied ever more often.
    for (const name of COUNTS)
      if (reported[name] !== undefined) this.#counts = { ...this.#counts, [name]: reported[name] };
    const prompt = countOf(this.#counts['promptTokenCount']);
    const answer = countOf(this.#counts['candidatesTokenCount']);
    const thoughts = countOf(this.#counts['thoughtsTokenCount']);
    // Thoughts that are not shown are counted all the same.
    if ((thoughts ?? 0) > this.#thoughtTokens) this.listener.alive();
    this.#thoughtTokens = thoughts ?? 0;
    const toolPrompt = countOf(this.#counts['toolUsePromptTokenCount']) ?? 0;
    const isUnknown = answer === undefined && thoughts === undefined;
    this.listener.usage(
      usageReport({
        promptTokens: prompt === undefined ? undefined : prompt + toolPrompt,
        completionTokens: isUnknown ? undefined : (answer ?? 0) + (thoughts ?? 0),
        cachedPromptTokens: this.#counts['cachedContentTokenCount'],
        reasoningTokens: thoughts,
      }),
    );
  }
}

/** Reads a part that calls a tool. */
function readFunctionCall({ functionCall, thoughtSignature }: Fields, called: CalledTools) {
  const { name, args } = fieldsOf(functionCall);
  const signature = textOf(thoughtSignature);
  const isKept = signature !== '' && signature.length <= SIGNATURE_CHARACTERS_MAX;
  const id = isKept ? `${newCallId()}${SIGNATURE_MARK}${signature}` : newCallId();
  return called.take({ key: {}, id, name: textOf(name), arguments: argumentsText(args ?? {}) });
}
