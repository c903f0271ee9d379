import type { App } from '../support/app';
import {
  COMPLETION_TOKENS,
  type LoopMessage,
  type ProtocolName,
  type ReportedCall,
  startCachingApp,
} from '../support/caching-upstream';
import type { WireCompletion } from '../support/wire';

/**
 * The loop of an agent with tools, over real HTTP and by the providers' own SDKs: 20 turns with calls, every fifth with
 * twelve at once, then an answer. The upstream keeps prompts by the rule that each provider documents, and reports what
 * it has read from its cache and written to it.
 */

const TOOL_TURNS = 20;

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
    model: 'claude-sonnet-5',
    protocol: 'anthropic',
    rates: { input: 2_000, read: 200, written: 2_500, output: 10_000 },
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

interface Usage {
  readonly prompt_tokens: number;
  readonly prompt_tokens_details?: { readonly cached_tokens: number };
}

/** The whole loop, as a client plays it: what the service says is sent back as it came. */
async function playedLoop(app: App, fields: object): Promise<WireCompletion[]> {
  const messages: LoopMessage[] = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: QUESTION },
  ];
  const replies: WireCompletion[] = [];
  for (let turn = 0; turn <= TOOL_TURNS; turn += 1) {
    const response = await app.chat({ messages, tools: TOOLS, ...fields });
    const reply = (await response.json()) as WireCompletion;
    replies.push(reply);
    const { message } = reply.choices[0] as unknown as { readonly message: LoopMessage };
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
  await using service = await startCachingApp(protocol, (turn) => {
    const calls = Array.from({ length: callsOf(turn) }, (_, call) => argsOf(turn, call));
    return { text: calls.length > 0 ? 'I look.' : '{"done": true}', calls };
  });
  const replies = await playedLoop(service.app, { model, ...fields });
  return { replies, calls: service.calls, totalCost: await service.totalCost() };
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
  const { calls } = await played({ model: 'claude-sonnet-5', protocol: 'anthropic' }, { response_format: form });
  expect(calls).toHaveLength(TOOL_TURNS + 1);
  for (const [at, { read, marked, prompt }] of calls.entries()) {
    expect(read).toBeGreaterThanOrEqual(calls[at - 1]?.marked ?? 0);
    expect(marked).toBeGreaterThanOrEqual(0.95 * prompt);
  }
});
