import { event, type RecordedRequest, type Reply, sendEvents } from '../support/fake-upstream';

/** Usage that one call was reported. */
export interface ReportedCall {
  readonly model: string;
  readonly request: RecordedRequest;
  /** Gross: read and written tokens are among them. */
  readonly prompt: number;
  readonly read: number;
  readonly written: number;
  readonly completion: number;
}

/** The least that is kept: of all three providers. */
const KEPT_TOKENS_MIN = 1_024;
const COMPLETION_TOKENS = 7;

/** Texts that a model is shown, in the order in which its provider reads it; a schema stands before all else. */
interface Reading {
  readonly model: string;
  readonly text: string;
  /** Part that the request marks to be kept; absent where the provider decides for itself. */
  readonly marked?: string;
}

/**
 * Replies as providers do that keep what they have read: all three protocols on one port. OpenAI and Gemini keep every
 * prompt by themselves, Anthropic what it is told to; a later one that begins with the same bytes is said to be read from
 * the cache as far as that goes.
 */
export function cachingUpstream(textOf: (request: RecordedRequest) => string) {
  const calls: ReportedCall[] = [];
  const kept = new Map<string, string[]>();
  const reply: Reply = (exchange) => {
    const { request } = exchange;
    const { model, text, marked } = READINGS[protocolOf(request)](request);
    const before = kept.get(model) ?? [];
    const prompt = tokensOf(text);
    const common = Math.max(0, ...before.map((earlier) => commonLength(earlier, marked ?? text)));
    const isWhole = marked === undefined || before.includes(marked);
    const read = isWhole ? keptTokens(common) : 0;
    const written = marked !== undefined && read === 0 ? keptTokens(marked.length) : 0;
    kept.set(model, [...before, ...(marked === '' ? [] : [marked ?? text])]);
    const call = { model, request, prompt, read, written, completion: COMPLETION_TOKENS };
    calls.push(call);
    return sendEvents(STREAMS[protocolOf(request)](textOf(request), call))(exchange);
  };
  return { calls, reply };
}

type ProtocolName = 'openai' | 'anthropic' | 'google';

function protocolOf({ path }: RecordedRequest): ProtocolName {
  if (path.includes(':streamGenerateContent')) return 'google';
  return path.endsWith('/messages') ? 'anthropic' : 'openai';
}

const READINGS: Readonly<Record<ProtocolName, (request: RecordedRequest) => Reading>> = {
  openai: ({ body }) => {
    const { model, messages, response_format: format } = JSON.parse(body);
    return { model, text: JSON.stringify([format ?? null, ...messages]) };
  },
  google: ({ path, body }) => {
    const { contents, systemInstruction, generationConfig } = JSON.parse(body);
    const schema = generationConfig.responseJsonSchema ?? null;
    const model = /models\/([^:]+):/.exec(path)?.[1] ?? '';
    return { model, text: JSON.stringify([schema, systemInstruction ?? null, ...contents]) };
  },
  anthropic: ({ body }) => {
    const { model, system = null, messages, output_config: config = null } = JSON.parse(body);
    const blocks: { readonly text: string; readonly cache_control?: object }[] = messages.flatMap(
      ({ role, content }: { role: string; content: string | object[] }) =>
        [content].flat().map((block) => ({ role, ...(typeof block === 'string' ? { text: block } : block) })),
    );
    const upTo = (end: number): string =>
      end === 0
        ? ''
        : JSON.stringify([config, system, ...blocks.slice(0, end).map(({ cache_control: _, ...block }) => block)]);
    const at = blocks.findLastIndex((block) => block.cache_control !== undefined);
    return { model, text: upTo(blocks.length), marked: upTo(at + 1) };
  },
};

const STREAMS: Readonly<Record<ProtocolName, (text: string, call: ReportedCall) => string>> = {
  openai: (text, { prompt, read, completion }) =>
    event({ choices: [{ index: 0, delta: { content: text }, finish_reason: 'stop' }] }) +
    event({
      choices: [],
      usage: { prompt_tokens: prompt, completion_tokens: completion, prompt_tokens_details: { cached_tokens: read } },
    }),
  anthropic: (text, { prompt, read, written, completion }) => {
    const usage = {
      input_tokens: prompt - read - written,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: written,
      output_tokens: 1,
    };
    return [
      { type: 'message_start', message: { usage } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: completion } },
      { type: 'message_stop' },
    ]
      .map(event)
      .join('');
  },
  google: (text, { prompt, read, completion }) =>
    event({
      candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }],
      usageMetadata: {
        promptTokenCount: prompt,
        candidatesTokenCount: completion,
        ...(read > 0 && { cachedContentTokenCount: read }),
      },
    }),
};

function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}

function keptTokens(characters: number): number {
  const tokens = Math.floor(characters / 4);
  return tokens < KEPT_TOKENS_MIN ? 0 : tokens;
}

/** Number of characters that two texts begin with alike. */
export function commonLength(one: string, other: string): number {
  const end = Math.min(one.length, other.length);
  let at = 0;
  while (at < end && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}
