import { systemClock } from '../../src/lib/clock';
import { createOpenAiProvider } from '../../src/providers/openai/openai';
import { type App, startApp } from '../support/app';
import { event, type RecordedRequest, type Reply, sendEvents, startFakeUpstream } from '../support/fake-upstream';
import type { WireCompletion } from '../support/wire';

/**
 * The loop of an agent with tools, over real HTTP and by the providers' own SDKs: 20 turns with calls, every fifth with
 * twelve at once, then an answer. The upstream keeps prompts by the rule that each provider documents, and reports what
 * it has read from its cache and written to it.
 */

const TOOL_TURNS = 20;
const COMPLETION_TOKENS = 7;

interface Row {
  readonly model: string;
  readonly protocol: ProtocolName;
  /** Nano-dollars a token, as the providers publish them in dollars a million: $0.30 is 300. */
  readonly rates: Readonly<Record<'input' | 'read' | 'written' | 'output', number>>;
  /** Name of the list of turns in a request. */
  readonly list: 'messages' | 'contents';
}

const ROWS: readonly Row[] = [
  {
    model: 'claude-sonnet-4-5',
    protocol: 'anthropic',
    rates: { input: 3_000, read: 300, written: 3_750, output: 15_000 },
    list: 'messages',
  },
  {
    model: 'gpt-5-mini',
    protocol: 'openai',
    rates: { input: 250, read: 25, written: 250, output: 2_000 },
    list: 'messages',
  },
  {
    model: 'gpt-5.6',
    protocol: 'openai',
    rates: { input: 4_000, read: 400, written: 5_000, output: 20_000 },
    list: 'messages',
  },
  {
    model: 'gemini-2.5-flash',
    protocol: 'google',
    rates: { input: 300, read: 30, written: 300, output: 2_500 },
    list: 'contents',
  },
];

const SYSTEM = `You edit code. “Grüße” 世界 🍅\n${'Read a file before you change it, and say why you do.\n'.repeat(400)}`;
const TOOLS = ['read_file', 'edit_file', 'run'].map((name) => ({
  type: 'function',
  function: {
    name,
    description: `To ${name}. ${'It takes a path below the project. '.repeat(20)}`,
    parameters: { type: 'object', required: ['path'], properties: { path: { type: 'string' }, 2: {}, 1: {} } },
  },
}));
const QUESTION = 'Make the tests of the parser pass.';

/** Calls of one reply; none in the last. */
const callsOf = (turn: number): number => (turn >= TOOL_TURNS ? 0 : turn % 5 === 4 ? 12 : 1);
const argsOf = (turn: number, call: number) => ({
  path: `src/parser-${turn}/${call}.ts`,
  '10': true,
  a: { z: 1, b: [] },
});
const resultOf = (turn: number, call: number): string =>
  `File ${turn}/${call}:\n${'if (a < b) return "x";\n'.repeat(40)}`;

interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
}

interface Usage {
  readonly prompt_tokens: number;
  readonly prompt_tokens_details?: { readonly cached_tokens: number };
}

/** The whole loop, as a client plays it: what the service says is sent back as it came. */
async function playedLoop(app: App, fields: object): Promise<WireCompletion[]> {
  const messages: Message[] = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: QUESTION },
  ];
  const replies: WireCompletion[] = [];
  for (let turn = 0; turn <= TOOL_TURNS; turn += 1) {
    const response = await app.chat({ messages, tools: TOOLS, ...fields });
    const reply = (await response.json()) as WireCompletion;
    replies.push(reply);
    const { message } = reply.choices[0] as unknown as { readonly message: Message };
    const results = (message.tool_calls ?? []).map(({ id }, call) => ({
      role: 'tool',
      tool_call_id: id,
      content: resultOf(turn, call),
    }));
    messages.push(message, ...results);
  }
  return replies;
}

async function played({ model, protocol }: Pick<Row, 'model' | 'protocol'>, fields: object = {}) {
  const { calls, reply } = cachingUpstream(protocol);
  const upstream = await startFakeUpstream(reply);
  const env = {
    ANTHROPIC_API_KEY: 'k',
    GEMINI_API_KEY: 'k',
    ANTHROPIC_BASE_URL: upstream.url,
    GEMINI_BASE_URL: upstream.url,
  };
  const openai = createOpenAiProvider({ apiKey: 'sk-own', baseUrl: `${upstream.url}/v1` }, 'responses');
  const app: App = await startApp({ clock: systemClock, providers: { openai }, env });
  try {
    const replies = await playedLoop(app, { model, ...fields });
    const usage = (await (await app.get('/v1/usage')).json()) as { data: [{ total_cost: number }] };
    return { replies, calls, totalCost: usage.data[0].total_cost };
  } finally {
    await app.close();
    await upstream.close();
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

describe.each(ROWS)('$model, $protocol: a loop of 20 turns with tools', (row) => {
  const { rates, list } = row;
  let loop: Awaited<ReturnType<typeof played>>;
  beforeAll(async () => {
    loop = await played(row);
  });

  /** Bytes of a request without marks: its list of turns, and all that stands around it. */
  const partsOf = ({ request }: ReportedCall) => {
    const body = request.body.replaceAll(',"cache_control":{"type":"ephemeral"}', '');
    const turns = JSON.stringify(JSON.parse(body)[list]);
    expect(body).toContain(turns);
    return { turns: turns.slice(0, -1), around: body.replace(turns, '') };
  };

  it('sends requests each of which begins byte by byte with the one before; only marks move', () => {
    const parts = loop.calls.map(partsOf);
    expect(parts).toHaveLength(TOOL_TURNS + 1);
    for (const [at, { turns, around }] of parts.entries()) {
      expect(around).toBe(parts[0]?.around);
      expect(turns.startsWith(parts[at - 1]?.turns ?? '')).toBe(true);
    }
  });

  it('reads in each request what the one before has left: 95 % of it, whatever is between', () => {
    for (const [at, { read, prompt }] of loop.calls.entries()) {
      const before = loop.calls[at - 1]?.prompt ?? 0;
      expect(read).toBeGreaterThanOrEqual(0.95 * before);
      expect(loop.calls[at]?.marked).toBeGreaterThanOrEqual(0.95 * prompt);
    }
  });

  it('is in the books to the nano-dollar, its input at a quarter of the list price without a cache', () => {
    const inputOf = ({ prompt, read, written }: ReportedCall) =>
      (prompt - read - written) * rates.input + read * rates.read + written * rates.written;
    const input = sum(loop.calls.map(inputOf));
    const output = loop.calls.length * COMPLETION_TOKENS * rates.output;
    expect(loop.totalCost).toBe((input + output) / 1e9);
    expect(input).toBeLessThanOrEqual(0.25 * sum(loop.calls.map(({ prompt }) => prompt * rates.input)));
    // A reply without anything from a cache does not say so.
    const usages = loop.replies.map(({ usage }) => usage as unknown as Usage);
    expect(usages.map(({ prompt_tokens: prompt }) => prompt)).toEqual(loop.calls.map(({ prompt }) => prompt));
    const cached = usages.map(({ prompt_tokens_details: details }) => details?.cached_tokens ?? 0);
    expect(cached).toEqual(loop.calls.map(({ read }) => read));
  });
});

it('Claude reads what is not said again, too: the form of the answer stands in the last turn of each request alone', async () => {
  const schema = {
    type: 'object',
    properties: { done: { type: 'boolean' } },
    required: ['done'],
    additionalProperties: false,
  };
  const form = { type: 'json_schema', json_schema: { name: 'report', schema, strict: true } };
  const { calls } = await played({ model: 'claude-sonnet-4-5', protocol: 'anthropic' }, { response_format: form });
  expect(calls).toHaveLength(TOOL_TURNS + 1);
  for (const [at, { read, marked, prompt }] of calls.entries()) {
    expect(read).toBeGreaterThanOrEqual(calls[at - 1]?.marked ?? 0);
    expect(marked).toBeGreaterThanOrEqual(0.95 * prompt);
  }
});

/** Usage that one call was reported; `prompt` is gross. */
interface ReportedCall {
  readonly request: RecordedRequest;
  readonly prompt: number;
  readonly read: number;
  readonly written: number;
  /** Tokens in the part that is kept. */
  readonly marked: number;
}

type Reported = Omit<ReportedCall, 'request'>;
type ProtocolName = 'anthropic' | 'openai' | 'google';

function cachingUpstream(protocol: ProtocolName) {
  const calls: ReportedCall[] = [];
  const report = CACHES[protocol]();
  const reply: Reply = (exchange) => {
    const { request } = exchange;
    const call = { request, ...report(request) };
    const turn = calls.push(call) - 1;
    return sendEvents(STREAMS[protocol](turn, call).map(event).join(''))(exchange);
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
      const { tools, system, messages } = JSON.parse(body);
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
    // What begins alike under one key, in steps of 128 tokens from 1,024 on; GPT-5.6 bills what it writes.
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
    // What begins alike, from 4,096 tokens on.
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

const STREAMS: Readonly<Record<ProtocolName, (turn: number, call: Reported) => object[]>> = {
  anthropic: (turn, { prompt, read, written }) => {
    const input = { input_tokens: prompt - read - written, cache_read_input_tokens: read };
    const usage = { ...input, cache_creation_input_tokens: written, output_tokens: COMPLETION_TOKENS };
    const calls = Array.from({ length: callsOf(turn) }, (_, call) => [
      {
        type: 'content_block_start',
        index: call + 1,
        content_block: { type: 'tool_use', id: `toolu_${turn}_${call}`, name: 'read_file', input: {} },
      },
      {
        type: 'content_block_delta',
        index: call + 1,
        delta: { type: 'input_json_delta', partial_json: JSON.stringify(argsOf(turn, call)) },
      },
    ]);
    const text = { type: 'text_delta', text: calls.length > 0 ? 'I look.' : '{"done": true}' };
    return [
      { type: 'message_start', message: { usage } },
      { type: 'content_block_delta', index: 0, delta: text },
      ...calls.flat(),
      { type: 'message_delta', delta: { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn' }, usage },
      { type: 'message_stop' },
    ];
  },
  openai: (turn, { prompt, read, written }) => {
    const tool_calls = Array.from({ length: callsOf(turn) }, (_, index) => ({
      index,
      id: `call_${turn}_${index}`,
      type: 'function',
      function: { name: 'read_file', arguments: JSON.stringify(argsOf(turn, index)) },
    }));
    const isLast = tool_calls.length === 0;
    const delta = isLast ? { content: 'Done.' } : { tool_calls };
    const details = { cached_tokens: read, cache_write_tokens: written };
    return [
      { choices: [{ index: 0, delta, finish_reason: isLast ? 'stop' : 'tool_calls' }] },
      {
        choices: [],
        usage: { prompt_tokens: prompt, completion_tokens: COMPLETION_TOKENS, prompt_tokens_details: details },
      },
    ];
  },
  google: (turn, { prompt, read }) => {
    const calls = Array.from({ length: callsOf(turn) }, (_, call) => ({
      functionCall: { name: 'read_file', args: argsOf(turn, call) },
      ...(call === 0 && { thoughtSignature: `signed${turn}+/=` }),
    }));
    const parts = calls.length > 0 ? calls : [{ text: 'Done.' }];
    return [
      {
        candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
        usageMetadata: {
          promptTokenCount: prompt,
          candidatesTokenCount: COMPLETION_TOKENS,
          ...(read > 0 && { cachedContentTokenCount: read }),
        },
      },
    ];
  },
};
