import { systemClock } from '../../src/lib/clock';
import { createCatalog } from '../../src/models/catalog';
import { createGateway } from '../../src/models/gateway/gateway';
import { type GatewayCall, newMeter } from '../../src/models/gateway/gateway-call';
import { createOpenAiProvider } from '../../src/providers/openai/openai';
import { type FakeUpstream, sendEvents, sendStatus, startFakeUpstream } from '../support/fake-upstream';
import { PROTOCOLS } from '../support/protocols';
import { scopeOf } from '../support/request-scope';

/** A compatible server that refuses a part of the request by name is asked without, and so from then on from the start. */

interface Body {
  readonly [field: string]: unknown;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

const [{ events = '' } = {}] = PROTOCOLS.filter(({ name }) => name === 'openai');
const { modelOf } = createCatalog();
const said = (message: string): object => ({ error: { message, type: 'invalid_request_error' } });
const rolesOf = ({ messages }: Body): string[] => messages.map(({ role }) => role);
const alternates = (body: Body): boolean => rolesOf(body).every((role, at, roles) => role !== roles[at - 1]);
const TOOLS = { tools: [{ name: 'now' }], json: '', parallel: false };
const TWO_TURNS = [
  { role: 'user', text: 'Hello?' },
  { role: 'user', text: 'Name the capital.' },
] as const;

interface Case {
  readonly part: string;
  readonly status?: number;
  readonly refuses: (body: Body) => object | undefined;
  readonly call?: Partial<GatewayCall>;
  /** Part that shows in the request that is taken. */
  readonly taken: (body: Body) => unknown;
  readonly expected: unknown;
  readonly refused: readonly string[];
}

/** OpenAI's words for models that think unless they are told not to. */
const NO_THOUGHTS = said(
  "Function tools with reasoning_effort are not supported for house in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
);
const WITH_TOOLS = { prompt: { turns: [{ role: 'user', text: 'x' }], tools: TOOLS } } as const;

const THOUGHT = { role: 'assistant', text: 'Canberra.' } as const;

const CASES: readonly Case[] = [
  {
    part: 'stream_options',
    status: 422,
    refuses: ({ stream_options }) =>
      stream_options ? { detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'] }] } : undefined,
    taken: (body) => [body['stream'], 'stream_options' in body],
    expected: [true, false],
    refused: ['streamOptions'],
  },
  {
    part: 'the name of the limit',
    refuses: (body) =>
      'max_tokens' in body
        ? said("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
        : undefined,
    call: { outputTokensMax: 50 },
    taken: ({ max_tokens, max_completion_tokens }) => [max_tokens, max_completion_tokens],
    expected: [undefined, 50],
    refused: ['limitName'],
  },
  {
    part: 'parallel_tool_calls',
    refuses: (body) =>
      'parallel_tool_calls' in body ? said('Unrecognized request argument supplied: parallel_tool_calls') : undefined,
    call: WITH_TOOLS,
    taken: ({ parallel_tool_calls, tools }) => [parallel_tool_calls, tools],
    expected: [undefined, [{ type: 'function', function: { name: 'now' } }]],
    refused: ['parallelToolCalls'],
  },
  ...[{ reasoningEffort: 'high' as const }, {}].map((effort) => ({
    part: `thoughts beside tools (${JSON.stringify(effort)})`,
    refuses: ({ tools, reasoning_effort }: Body) => (tools && reasoning_effort !== 'none' ? NO_THOUGHTS : undefined),
    call: { ...WITH_TOOLS, ...effort },
    taken: ({ tools, reasoning_effort }: Body) => [tools !== undefined, reasoning_effort],
    expected: [true, 'none'],
    refused: ['thoughtsBesideTools'],
  })),
  {
    part: 'the key of a prompt cache',
    refuses: (body) =>
      'prompt_cache_key' in body ? said('Validation: Unsupported parameter(s): `prompt_cache_key`') : undefined,
    call: { promptCacheKey: 'session-1' },
    taken: (body) => body['prompt_cache_key'],
    expected: undefined,
    refused: ['promptCacheKey'],
  },
  {
    part: 'top_p beside a temperature',
    refuses: ({ temperature, top_p }) =>
      temperature !== undefined && top_p !== undefined
        ? said('temperature and top_p cannot both be specified')
        : undefined,
    call: { sampling: { temperature: 0.5, topP: 0.9 } },
    taken: ({ temperature, top_p }) => [temperature, top_p],
    expected: [0.5, undefined],
    refused: ['topP'],
  },
  {
    part: 'temperature',
    refuses: ({ temperature }) =>
      temperature === undefined
        ? undefined
        : said("Unsupported value: 'temperature' does not support 0.5 with this model."),
    call: { sampling: { temperature: 0.5 } },
    taken: ({ temperature }) => temperature,
    expected: undefined,
    refused: ['temperature'],
  },
  {
    part: 'what another model thought',
    refuses: (body) =>
      JSON.stringify(body).includes('reasoning_content')
        ? said("'messages.1' : for 'role:assistant' property 'reasoning_content' is unsupported")
        : undefined,
    call: { prompt: { turns: [...TWO_TURNS, { ...THOUGHT, reasoning: { reasoning_content: 'Hm.' } }, ...TWO_TURNS] } },
    taken: (body) => JSON.stringify(body).includes('Hm.'),
    expected: false,
    refused: ['reasoning'],
  },
  {
    part: 'names of speakers',
    status: 422,
    refuses: (body) =>
      JSON.stringify(body).includes('"name"')
        ? { detail: [{ type: 'extra_forbidden', loc: ['body', 'messages', 0, 'user', 'name'] }] }
        : undefined,
    call: { prompt: { turns: [{ role: 'user', text: 'Hello', name: 'Sam' }] } },
    taken: ({ messages }) => messages,
    expected: [{ role: 'user', content: 'Sam: Hello' }],
    refused: ['names'],
  },
  {
    part: 'turns of one role in a row',
    status: 500,
    refuses: (body) => (alternates(body) ? undefined : said('Conversation roles must alternate user/assistant/...')),
    call: { prompt: { turns: TWO_TURNS } },
    taken: ({ messages }) => messages,
    expected: [{ role: 'user', content: 'Hello?\n\nName the capital.' }],
    refused: ['turnsInARow'],
  },
];

describe('a compatible server', () => {
  let upstream: FakeUpstream;
  let refuses: Case['refuses'];
  let status: number;
  beforeEach(async () => {
    upstream = await startFakeUpstream((exchange) => {
      const report = refuses(JSON.parse(exchange.request.body));
      return (report ? sendStatus(status, report) : sendEvents(events))(exchange);
    });
  });
  afterEach(() => upstream.close());

  function setup(change: Partial<GatewayCall> = {}) {
    const provider = createOpenAiProvider({ apiKey: 'k', baseUrl: `${upstream.url}/v1` });
    const gateway = createGateway({ clock: systemClock, provider: () => provider });
    return (other: Partial<GatewayCall> = {}) =>
      gateway.call({
        scope: scopeOf('q1'),
        model: modelOf('house'),
        prompt: { turns: [{ role: 'user', text: 'x' }] },
        purpose: 'answer',
        signal: new AbortController().signal,
        budgetMs: 60_000,
        openAttempt: () => ({ meter: newMeter(), close: () => undefined, cancel: () => undefined }),
        ...change,
        ...other,
      });
  }
  const bodies = (): Body[] => upstream.requests.map(({ body }) => JSON.parse(body));

  it.each(CASES)('that refuses $part is asked without it, once, and another model with it', async (played) => {
    ({ refuses } = played);
    status = played.status ?? 400;
    const ask = setup(played.call);
    for (let call = 0; call < 2; call += 1) {
      expect(await ask()).toMatchObject({ ok: true, refused: played.refused });
      expect(bodies().map(played.taken).at(-1)).toEqual(played.expected);
    }
    expect(upstream.requests).toHaveLength(3);
    await ask({ model: modelOf('other') });
    expect(upstream.requests).toHaveLength(5);
  });

  it('regression: an effort that is refused beside tools alone is sent without them', async () => {
    status = 400;
    refuses = ({ tools, reasoning_effort }) => (tools && reasoning_effort !== 'none' ? NO_THOUGHTS : undefined);
    const ask = setup({ reasoningEffort: 'high' });
    await ask(WITH_TOOLS);
    expect(await ask()).not.toHaveProperty('refused');
    expect(bodies().map((body) => body['reasoning_effort'])).toEqual(['high', 'none', 'high']);
  });

  it('that refuses everything it knows a name of is asked a bounded number of times', async () => {
    status = 400;
    refuses = () => said('stream_options, max_tokens, temperature, top_p, alternating roles: not supported');
    const ask = setup({
      sampling: { temperature: 0.5, topP: 0.9 },
      outputTokensMax: 5,
      prompt: { system: 'Be brief.', turns: TWO_TURNS, tools: TOOLS },
    });
    expect(await ask()).toMatchObject({ ok: false, fault: 'bad_request' });
    expect(upstream.requests).toHaveLength(6);
  });
});
