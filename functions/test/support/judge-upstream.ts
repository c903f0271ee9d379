import type { ModelPrompt } from '../../src/models/model';
import { createAnthropicProvider } from '../../src/providers/anthropic';
import { createGoogleProvider } from '../../src/providers/google';
import { createOpenAiProvider } from '../../src/providers/openai';
import { type Exchange, type FakeUpstream, type RecordedRequest, type Reply, startFakeUpstream } from './fake-upstream';
import type { TestAppOptions } from './test-app';

/** A judge call as it came over the wire. */
export interface WireCall {
  readonly model: string;
  readonly prompt: ModelPrompt;
  readonly hasSchema: boolean;
  /** How many calls to the same model came before. */
  readonly earlier: number;
}

/** What a judge on the wire does: says a text, or answers in a way of its own. */
export type WireReply = string | Reply;

/** Upstream models on one real server, in the wire format of whichever provider asks. */
export interface JudgeUpstream {
  readonly providers: NonNullable<TestAppOptions['providers']>;
  readonly calls: readonly WireCall[];
  /** What the upstream counted: the tokens of every reply it finished. */
  readonly ledger: { promptTokens: number; completionTokens: number };
  play(judge: (call: WireCall) => WireReply): void;
  close(): Promise<void>;
}

const USAGE = { promptTokens: 100, completionTokens: 20 };
const CALLS_MAX = 2_000;

/** Starts the upstream; until told otherwise its models say nothing of use. */
export async function startJudgeUpstream(): Promise<JudgeUpstream> {
  const upstream: FakeUpstream = await startFakeUpstream();
  const calls: WireCall[] = [];
  const ledger = { promptTokens: 0, completionTokens: 0 };
  let judge: (call: WireCall) => WireReply = () => 'Hm.';
  const answer: Reply = (exchange) => {
    const wire = WIRES.find(({ owns }) => owns(exchange.request));
    if (!wire) throw new Error(`no protocol has the path ${exchange.request.path}`);
    const read = wire.read(exchange.request);
    const call = { ...read, earlier: calls.filter(({ model }) => model === read.model).length };
    calls.push(call);
    const reply = judge(call);
    if (typeof reply !== 'string') return reply(exchange);
    ledger.promptTokens += USAGE.promptTokens;
    ledger.completionTokens += USAGE.completionTokens;
    return say(exchange, wire.events(reply));
  };
  upstream.willReply(...Array<Reply>(CALLS_MAX).fill(answer));
  return {
    providers: {
      openai: createOpenAiProvider({ apiKey: 'sk-wire', baseUrl: `${upstream.url}/openai` }),
      anthropic: createAnthropicProvider({ apiKey: 'sk-wire', baseUrl: `${upstream.url}/anthropic` }),
      google: createGoogleProvider({ apiKey: 'sk-wire', baseUrl: `${upstream.url}/google` }),
    },
    calls,
    ledger,
    play: (next) => {
      judge = next;
    },
    close: () => upstream.close(),
  };
}

function say(exchange: Exchange, events: readonly object[]): void {
  exchange.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
}

interface Wire {
  owns(request: RecordedRequest): boolean;
  read(request: RecordedRequest): Omit<WireCall, 'earlier'>;
  /** A whole good reply. */
  events(text: string): object[];
}

const user = (text: string): ModelPrompt['turns'] => [{ role: 'user', text }];

const WIRES: readonly Wire[] = [
  {
    owns: ({ path }) => path.startsWith('/openai'),
    read: ({ body }) => {
      const { model, messages, response_format } = JSON.parse(body);
      const [system, prompt] = messages;
      return {
        model,
        hasSchema: response_format !== undefined,
        prompt: { system: system.content, turns: user(prompt.content) },
      };
    },
    events: (text) => [
      { choices: [{ index: 0, delta: { content: text } }] },
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      { choices: [], usage: { prompt_tokens: USAGE.promptTokens, completion_tokens: USAGE.completionTokens } },
    ],
  },
  {
    owns: ({ path }) => path.startsWith('/anthropic'),
    read: ({ body }) => {
      const { model, system, messages, output_config } = JSON.parse(body);
      return { model, hasSchema: output_config !== undefined, prompt: { system, turns: user(messages[0].content) } };
    },
    events: (text) => [
      { type: 'message_start', message: { usage: { input_tokens: USAGE.promptTokens, output_tokens: 1 } } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: USAGE.completionTokens } },
      { type: 'message_stop' },
    ],
  },
  {
    owns: ({ path }) => path.startsWith('/google'),
    read: ({ path, body }) => {
      const { contents, systemInstruction, generationConfig } = JSON.parse(body);
      return {
        model: /models\/([^:]+):/.exec(path)?.[1] ?? '',
        hasSchema: generationConfig.responseJsonSchema !== undefined,
        prompt: { system: systemInstruction.parts[0].text, turns: user(contents[0].parts[0].text) },
      };
    },
    events: (text) => [
      {
        candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }],
        usageMetadata: { promptTokenCount: USAGE.promptTokens, candidatesTokenCount: USAGE.completionTokens },
      },
    ],
  },
];
