import { STRATEGY_NAMES } from '../../src/ensemble/strategies/strategies';
import type { CallRow } from '../../src/ledger/call-row';
import { systemClock } from '../../src/lib/clock';
import { type App, startApp, watchSettlement } from '../support/app';
import { event, type RecordedRequest, type Reply, sendEvents, startFakeUpstream } from '../support/fake-upstream';
import type { WireCompletion } from '../support/wire';

/**
 * Prompts that begin alike, over real HTTP and in the providers' own protocols, to servers that keep what they have read:
 * what they say was read from the cache is in the reply, in the ledger and in the cost, each token at its own rate.
 */

const OPENAI = 'gpt-4.1-mini';
const ANTHROPIC = 'claude-sonnet-5';
const GOOGLE = 'gemini-2.5-flash';
const PANEL = [OPENAI, ANTHROPIC, GOOGLE];

/** Nano-dollars a token, as the providers publish them in dollars a million: $0.40 is 400. */
const RATES: Readonly<Record<string, Readonly<Record<'input' | 'read' | 'written' | 'output', number>>>> = {
  [OPENAI]: { input: 400, read: 100, written: 400, output: 1_600 },
  [ANTHROPIC]: { input: 2_000, read: 200, written: 2_500, output: 10_000 },
  [GOOGLE]: { input: 300, read: 30, written: 300, output: 2_500 },
};

const MESSAGE = `Grüße! “Is this clause fair?” 世界 🍅\n${'The lessee shall keep the premises in "good" repair.\n'.repeat(120)}`;
const EARLIER = [
  { role: 'user', content: 'What is a lease?' },
  { role: 'assistant', content: 'A contract.' },
];
const SYSTEM = { role: 'system', content: 'Be brief.' };

/** Nobody settles; who judges is readable. */
function textOf({ body }: RecordedRequest): string {
  if (/"rationale\\*"/.test(body)) return '{"winner": "A", "rationale": "It is the clearer one."}';
  if (/"findings\\*"/.test(body)) return '{"findings": [{"severity": "major", "why": "It does not say why."}]}';
  return `It is fair.\nREVISION: changed (a slip)\nANSWER: ${body.length}`;
}

/** One request to a service of which only the providers are played. */
async function played(fields: Readonly<Record<string, unknown>>) {
  const { calls, reply } = cachingUpstream(textOf);
  const upstream = await startFakeUpstream(reply);
  const env = {
    OPENAI_API_KEY: 'k',
    ANTHROPIC_API_KEY: 'k',
    GEMINI_API_KEY: 'k',
    OPENAI_BASE_URL: `${upstream.url}/v1`,
    ANTHROPIC_BASE_URL: upstream.url,
    GEMINI_BASE_URL: upstream.url,
  };
  const { settled, wrapStore } = watchSettlement();
  const app: App = await startApp({ clock: systemClock, providers: {}, env, wrapStore });
  try {
    const response = await app.chat({ messages: [...EARLIER, { role: 'user', content: MESSAGE }], ...fields });
    const body = (await response.json()) as WireCompletion;
    const { calls: rows } = await settled;
    const month = (await (await app.get('/v1/usage')).json()) as { data: [{ total_cost: number }] };
    return { body, calls, rows, totalCost: month.data[0].total_cost };
  } finally {
    await app.close();
    await upstream.close();
  }
}

function costOf({ model, prompt, read, written, completion }: ReportedCall): number {
  const rate = RATES[model] ?? { input: Number.NaN, read: 0, written: 0, output: 0 };
  return (prompt - read - written) * rate.input + read * rate.read + written * rate.written + completion * rate.output;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const of = (calls: readonly ReportedCall[], model: string) => calls.filter((call) => call.model === model);
const counted = (rows: readonly CallRow[]) =>
  rows
    .map((row) =>
      [row.modelId, row.promptTokens, row.cachedPromptTokens, row.cacheWritePromptTokens ?? 0, row.costNanoUsd].join(
        ' ',
      ),
    )
    .sort();
const reported = (calls: readonly ReportedCall[]) =>
  calls.map((call) => [call.model, call.prompt, call.read, call.written, costOf(call)].join(' ')).sort();

describe.each(PANEL)('cached prompts of a run whose arbiter is %s', (arbiter) => {
  const run = (fields: object = {}) => played({ model: arbiter, ai_ensemble: { models: PANEL, rounds: 3, ...fields } });

  it('are in the reply, in the ledger and in the month, to the nano-dollar', async () => {
    const { body, calls, rows, totalCost } = await run({ includeReasoning: true });
    expect(calls).toHaveLength(11);
    const read = sum(calls.map((call) => call.read));
    expect(read).toBeGreaterThan(0);
    expect(body.usage).toMatchObject({
      prompt_tokens: sum(calls.map(({ prompt }) => prompt)),
      completion_tokens: sum(calls.map(({ completion }) => completion)),
      input_token_details: { text_tokens: sum(calls.map(({ prompt }) => prompt)), cached_tokens: read },
      prompt_tokens_details: { cached_tokens: read },
    });
    expect(counted(rows)).toEqual(reported(calls));
    expect(totalCost).toBe(sum(calls.map(costOf)) / 1e9);
  });

  it('are read in every round after the drafts, and by the answer of a model that has drafted', async () => {
    const { calls } = await run();
    for (const model of PANEL) {
      const [draft, ...later] = of(calls, model);
      expect(draft?.read).toBe(0);
      expect(later).toHaveLength(model === arbiter ? 3 : 2);
      for (const { read } of later) expect(4 * read).toBeGreaterThanOrEqual(MESSAGE.length);
    }
  });

  it('cost less than without a cache', async () => {
    const { calls } = await run();
    const uncached = calls.map((call) => costOf({ ...call, read: 0, written: 0 }));
    expect(sum(calls.map(costOf))).toBeLessThan(0.6 * sum(uncached));
  });
});

it('Anthropic: nothing is written to the cache that is not read, of two rounds or of one', async () => {
  for (const rounds of [1, 2]) {
    const { calls } = await played({
      model: ANTHROPIC,
      ai_ensemble: { models: PANEL, rounds, includeReasoning: true },
    });
    const own = of(calls, ANTHROPIC);
    expect(own.filter(({ written }) => written > 0)).toHaveLength(1);
    expect(own.filter(({ read }) => read > 0)).toHaveLength(rounds);
  }
  const { calls } = await played({ model: OPENAI, ai_ensemble: { models: PANEL, rounds: 1 } });
  expect(of(calls, ANTHROPIC).map(({ written }) => written)).toEqual([0]);
});

/** A text as it stands in a body of JSON. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

describe.each([
  { name: 'OpenAI', model: OPENAI },
  { name: 'Gemini', model: GOOGLE },
])('$name: the bodies on the wire begin alike, byte by byte', ({ model }) => {
  const bodies = (calls: readonly ReportedCall[]): string[] => of(calls, model).map(({ request }) => request.body);

  it.each(STRATEGY_NAMES)('%s: as far as the user’s message, in all calls of a participant', async (strategy) => {
    const options = { strategy, models: [model, model, model, model], rounds: 3, shareSystemPrompt: true };
    const messages = [SYSTEM, ...EARLIER, { role: 'user', content: MESSAGE }];
    const { calls } = await played({ model: ANTHROPIC, messages, ai_ensemble: options });
    const [first = '', ...others] = bodies(calls);
    const end = first.indexOf(inJson(MESSAGE)) + inJson(MESSAGE).length;
    expect(end).toBeGreaterThan(inJson(MESSAGE).length);
    expect(others.length).toBeGreaterThan(2);
    // Who judges a text is quoted the caller's instructions instead of following them: no system prompt there.
    const writers = others.filter((body) => body.includes('"system"') === first.includes('"system"'));
    for (const body of writers) expect(commonLength(first, body)).toBeGreaterThanOrEqual(end);
  });

  it.each(['competitive_refinement', 'collaborative_synthesis', 'expert_panel', 'chain_of_thought'])(
    '%s: as far as the last text of the participants, in the arbiter’s comparison and its answer',
    async (strategy) => {
      const options = { strategy, models: [ANTHROPIC, ANTHROPIC], rounds: 2, includeReasoning: true };
      const { calls } = await played({ model, ai_ensemble: options });
      const [analysis = '', answer = ''] = bodies(calls).slice(-2);
      const [lastEnd] = [...analysis.matchAll(/<<[0-9a-f]+ end [^>]+>>(?=\\n\\n)/g)].slice(-1);
      expect(commonLength(analysis, answer)).toBeGreaterThan(lastEnd?.index ?? Number.POSITIVE_INFINITY);
    },
  );
});

/** Usage that one call was reported. */
interface ReportedCall {
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
function cachingUpstream(textOf: (request: RecordedRequest) => string) {
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
function commonLength(one: string, other: string): number {
  const end = Math.min(one.length, other.length);
  let at = 0;
  while (at < end && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}
