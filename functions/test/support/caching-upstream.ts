import { systemClock } from '../../src/lib/clock';
import { createOpenAiProvider } from '../../src/providers/openai/openai';
import { startApp } from './app';
import { event, type RecordedRequest, type Reply, sendEvents, startFakeUpstream } from './fake-upstream';

/** Tokens that a reply is said to have. */
export const COMPLETION_TOKENS = 7;

/** Usage that one call was reported; `prompt` is gross. */
export interface ReportedCall {
  readonly request: RecordedRequest;
  readonly prompt: number;
  readonly read: number;
  readonly written: number;
  /** Tokens in the part that is kept. */
  readonly marked: number;
}

type Reported = Omit<ReportedCall, 'request'>;
export type ProtocolName = 'anthropic' | 'openai' | 'google';

/** Words of a reply and the arguments of its calls, each of `read_file`. */
interface Said {
  readonly text: string;
  readonly calls: readonly object[];
  /** Tokens of the reply, as reported; default: `COMPLETION_TOKENS`. */
  readonly tokens?: number;
}

type Says = (at: number, request: RecordedRequest) => Said;

/** A message of a loop of tools, as a client sends it and has it back. */
export interface LoopMessage {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
}

/** The service over real HTTP, whose providers are that model; OpenAI is asked as at its own address. */
export async function startCachingApp(protocol: ProtocolName, says: Says) {
  const { calls, reply } = cachingUpstream(protocol, says);
  const upstream = await startFakeUpstream(reply);
  const env = {
    ANTHROPIC_API_KEY: 'k',
    GEMINI_API_KEY: 'k',
    ANTHROPIC_BASE_URL: upstream.url,
    GEMINI_BASE_URL: upstream.url,
  };
  const openai = createOpenAiProvider({ apiKey: 'sk-own', baseUrl: `${upstream.url}/v1` }, 'responses');
  const app = await startApp({ clock: systemClock, providers: { openai }, env });
  const close = async (): Promise<void> => {
    await app.close();
    await upstream.close();
  };
  const totalCost = async (): Promise<number> => {
    const usage = (await (await app.get('/v1/usage')).json()) as { data: [{ total_cost: number }] };
    return usage.data[0].total_cost;
  };
  return { app, calls, totalCost, [Symbol.asyncDispose]: close };
}

/** Model of one protocol that keeps prompts as its provider documents it, and says by the place of a request among all. */
function cachingUpstream(protocol: ProtocolName, says: Says) {
  const calls: ReportedCall[] = [];
  const report = CACHES[protocol]();
  const reply: Reply = (exchange) => {
    const { request } = exchange;
    const call = { request, ...report(request) };
    const at = calls.push(call) - 1;
    const events = STREAMS[protocol]({ ...says(at, request), at, ...call });
    return sendEvents(events.map(event).join(''))(exchange);
  };
  return { calls, reply };
}

const tokensOf = (text: string): number => Math.ceil(text.length / 4);

/** The caches of the providers, each by its own rule, for one model. */
const CACHES: Readonly<Record<ProtocolName, () => (request: RecordedRequest) => Reported>> = {
  anthropic: () => {
    // Entries end at marks, four at the most; from each mark 20 blocks are looked through, backwards; 1,024 tokens.
    const entries = new Set<string>();
    return ({ body }) => {
      const { tools = [], system = [], messages } = JSON.parse(body);
      const blocks = [
        ...tools,
        ...[system].flat(),
        ...messages.flatMap(({ role, content }: { role: string; content: object[] }) =>
          [content].flat().map((block) => ({ role, ...(typeof block === 'string' ? { text: block } : block) })),
        ),
      ];
      const marks = blocks.flatMap(({ cache_control: mark }, at) => (mark ? [at] : []));
      if (marks.length > 4) throw new Error('more than four marks');
      const upTo = (end: number) =>
        JSON.stringify(blocks.slice(0, end + 1).map(({ cache_control: _, ...block }) => block));
      const found = marks.flatMap((mark) =>
        Array.from({ length: 20 }, (_, back) => upTo(Math.max(0, mark - back))).filter((text) => entries.has(text)),
      );
      const kept = marks.map(upTo).filter((text) => tokensOf(text) >= 1_024);
      for (const text of kept) entries.add(text);
      const read = Math.max(0, ...found.map(tokensOf));
      const marked = Math.max(0, ...kept.map(tokensOf));
      return { prompt: tokensOf(upTo(blocks.length - 1)), read, written: marked - read, marked };
    };
  },
  openai: () => {
    // A beginning shared under one key, in steps of 128 tokens from 1,024 on; GPT-5.6 bills what it writes.
    const seen: { readonly key: unknown; readonly text: string }[] = [];
    return ({ body }) => {
      const { model, messages, tools, prompt_cache_key: key } = JSON.parse(body);
      const text = JSON.stringify([tools, ...messages]).slice(0, -1);
      const steps = Math.floor(
        commonTokens(
          text,
          seen.flatMap((each) => (each.key === key ? [each.text] : [])),
        ) / 128,
      );
      seen.push({ key, text });
      const read = steps * 128 < 1_024 ? 0 : steps * 128;
      const prompt = tokensOf(text);
      return { prompt, read, written: model === 'gpt-5.6' ? prompt - read : 0, marked: key ? prompt : 0 };
    };
  },
  google: () => {
    // A shared beginning, from 4,096 tokens on.
    const seen: string[] = [];
    return ({ body }) => {
      const { contents, tools, systemInstruction } = JSON.parse(body);
      const text = JSON.stringify([systemInstruction, tools, ...contents]).slice(0, -1);
      const common = commonTokens(text, seen);
      seen.push(text);
      return { prompt: tokensOf(text), read: common < 4_096 ? 0 : common, written: 0, marked: tokensOf(text) };
    };
  },
};

/** Tokens with which a text begins like one of others. */
function commonTokens(text: string, others: readonly string[]): number {
  const lengths = others.map((other) => {
    let at = 0;
    while (at < text.length && text.charCodeAt(at) === other.charCodeAt(at)) at += 1;
    return at;
  });
  return Math.floor(Math.max(0, ...lengths) / 4);
}

const STREAMS: Readonly<Record<ProtocolName, (reply: Said & Reported & { readonly at: number }) => object[]>> = {
  anthropic: ({ at, text, calls, prompt, read, written, tokens = COMPLETION_TOKENS }) => {
    const input = { input_tokens: prompt - read - written, cache_read_input_tokens: read };
    const usage = { ...input, cache_creation_input_tokens: written, output_tokens: tokens };
    const blocks = calls.flatMap((args, call) => [
      {
        type: 'content_block_start',
        index: call + 1,
        content_block: { type: 'tool_use', id: `toolu_${at}_${call}`, name: 'read_file', input: {} },
      },
      {
        type: 'content_block_delta',
        index: call + 1,
        delta: { type: 'input_json_delta', partial_json: JSON.stringify(args) },
      },
    ]);
    return [
      { type: 'message_start', message: { usage } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      ...blocks,
      { type: 'message_delta', delta: { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn' }, usage },
      { type: 'message_stop' },
    ];
  },
  openai: ({ at, text, calls, prompt, read, written, tokens = COMPLETION_TOKENS }) => {
    const tool_calls = calls.map((args, index) => ({
      index,
      id: `call_${at}_${index}`,
      type: 'function',
      function: { name: 'read_file', arguments: JSON.stringify(args) },
    }));
    const isLast = tool_calls.length === 0;
    const delta = isLast ? { content: text } : { tool_calls };
    const details = { cached_tokens: read, cache_write_tokens: written };
    return [
      { choices: [{ index: 0, delta, finish_reason: isLast ? 'stop' : 'tool_calls' }] },
      {
        choices: [],
        usage: { prompt_tokens: prompt, completion_tokens: tokens, prompt_tokens_details: details },
      },
    ];
  },
  google: ({ at, text, calls, prompt, read, tokens = COMPLETION_TOKENS }) => {
    const called = calls.map((args, call) => ({
      functionCall: { name: 'read_file', args },
      ...(call === 0 && { thoughtSignature: `signed${at}+/=` }),
    }));
    const parts = called.length > 0 ? called : [{ text }];
    return [
      {
        candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
        usageMetadata: {
          promptTokenCount: prompt,
          candidatesTokenCount: tokens,
          ...(read > 0 && { cachedContentTokenCount: read }),
        },
      },
    ];
  },
};
