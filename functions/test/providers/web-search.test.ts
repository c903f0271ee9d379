import { ReplySources } from '../../src/models/gateway/reply-parts';
import type { ModelProvider, ProviderCall } from '../../src/models/model';
import type { FoundPage } from '../../src/models/web-search';
import { createAnthropicProvider } from '../../src/providers/anthropic/anthropic';
import { createGoogleProvider } from '../../src/providers/google/google';
import { createOpenAiProvider } from '../../src/providers/openai/openai';
import { during } from '../support/during';
import { event, sendBytewise, sendEvents, startFakeUpstream } from '../support/fake-upstream';
import { callOf, LOOK, RecordingListener } from '../support/provider-calls';

/** A provider's own search: how it is asked for, and what its stream tells. */
interface Row {
  readonly name: string;
  readonly create: (url: string) => ModelProvider;
  readonly model: string;
  readonly path: string;
  /** Fields of the request that a plain one has not. */
  readonly asked: object;
  /** In the provider's own shape: one search, a cited page and another, and the text `A berry.` in two pieces. */
  readonly stream: string;
  readonly searches: number;
  readonly usage: object;
  /** The same report with these pages. */
  readonly found: (pages: readonly object[]) => string;
}

const CITED = { url: 'https://example.org/cited', title: 'Cited' };
const SEEN = { url: 'https://example.org/seen', title: 'Seen' };
const sent = (...events: readonly { readonly type: string }[]): string =>
  events.map((each) => `event: ${each.type}\n${event(each)}`).join('');

const block = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block });
const delta = (index: number, piece: object) => ({ type: 'content_block_delta', index, delta: piece });
const stop = (index: number) => ({ type: 'content_block_stop', index });
const resultBlock = (content: unknown) => ({ type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content });
const result = (page: object) => ({ type: 'web_search_result', encrypted_content: 'Eq', page_age: null, ...page });
const openAiEvent = (type: string, rest: object) => ({ type: `response.${type}`, sequence_number: 1, ...rest });
const annotation = (page: object) =>
  openAiEvent('output_text.annotation.added', {
    ...{ item_id: 'msg_1', output_index: 1, content_index: 0, annotation_index: 0 },
    annotation: { type: 'url_citation', start_index: 0, end_index: 3, ...page },
  });
const textDelta = (piece: string) => openAiEvent('output_text.delta', { item_id: 'msg_1', delta: piece });
const searchCall = (action: object) =>
  openAiEvent('output_item.done', { item: { id: 'ws_1', type: 'web_search_call', status: 'completed', action } });
const citation = ({ url, title }: { url: string; title: string }) => ({
  type: 'url_citation',
  url_citation: { url, title, content: 'So it says.', start_index: 0, end_index: 3 },
});
const choice = (piece: object, finish_reason: string | null = null) =>
  event({ choices: [{ index: 0, delta: piece, finish_reason }] });
const gemini = (candidate: object, rest: object = {}) => event({ candidates: [candidate], ...rest });
const chunkOf = ({ url, title }: { url?: string; title?: string }) => ({ web: { uri: url, title } });

const ROWS: readonly Row[] = [
  {
    name: 'anthropic',
    create: (url) => createAnthropicProvider({ apiKey: 'sk-test', baseUrl: url }),
    model: 'claude-haiku-4-5',
    path: '/v1/messages',
    asked: { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 5 }] },
    stream: sent(
      { type: 'message_start', message: { usage: { input_tokens: 30, output_tokens: 1 } } } as never,
      block(0, { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }),
      delta(0, { type: 'input_json_delta', partial_json: '{"query":"tomato"}' }),
      stop(0),
      block(1, resultBlock([result(SEEN), result(CITED)])),
      stop(1),
      block(2, { type: 'text', text: '', citations: [] }),
      delta(2, {
        type: 'citations_delta',
        citation: { type: 'web_search_result_location', cited_text: 'x', ...CITED },
      }),
      delta(2, { type: 'text_delta', text: 'A ' }),
      delta(2, { type: 'text_delta', text: 'berry.' }),
      stop(2),
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn' },
        usage: { input_tokens: 9_000, output_tokens: 60, server_tool_use: { web_search_requests: 1 } },
      } as never,
      { type: 'message_stop' },
    ),
    searches: 1,
    usage: { promptTokens: 9_000, completionTokens: 60 },
    found: (pages) => sent(block(1, resultBlock(pages.map(result)))),
  },
  {
    name: 'openai, by responses',
    create: (url) => createOpenAiProvider({ apiKey: 'sk-test', baseUrl: `${url}/v1` }, 'responses'),
    model: 'gpt-5.4-mini',
    path: '/v1/responses',
    asked: { tools: [{ type: 'web_search' }], max_tool_calls: 5, store: false },
    stream: sent(
      openAiEvent('created', { response: { id: 'resp_1', status: 'in_progress' } }),
      openAiEvent('web_search_call.searching', { item_id: 'ws_1', output_index: 0 }),
      searchCall({ type: 'search', query: 'tomato' }),
      searchCall({ type: 'open_page', url: CITED.url }),
      openAiEvent('reasoning_summary_text.delta', { delta: 'Hm' }),
      textDelta('A '),
      textDelta('berry.'),
      annotation(CITED),
      annotation(SEEN),
      openAiEvent('completed', {
        response: {
          status: 'completed',
          usage: {
            ...{ input_tokens: 9_000, output_tokens: 60, total_tokens: 9_060 },
            input_tokens_details: { cached_tokens: 1_024 },
            output_tokens_details: { reasoning_tokens: 40 },
          },
        },
      }),
    ),
    searches: 1,
    usage: { promptTokens: 9_000, completionTokens: 60, cachedPromptTokens: 1_024, reasoningTokens: 40 },
    found: (pages) => sent(...pages.map(annotation)),
  },
  {
    name: 'google, billed by query',
    create: (url) => createGoogleProvider({ apiKey: 'sk-test', baseUrl: url }),
    model: 'gemini-3.8-flash',
    path: '/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse',
    asked: { tools: [{ googleSearch: {} }] },
    stream:
      gemini({ content: { parts: [{ text: 'A ' }] } }) +
      gemini(
        {
          content: { parts: [{ text: 'berry.' }] },
          finishReason: 'STOP',
          groundingMetadata: {
            webSearchQueries: ['tomato', '', 'is a tomato a fruit', 'tomato'],
            groundingChunks: [chunkOf(CITED), chunkOf(SEEN)],
          },
        },
        { usageMetadata: { promptTokenCount: 30, candidatesTokenCount: 60, toolUsePromptTokenCount: 100 } },
      ),
    searches: 2,
    usage: { promptTokens: 130, completionTokens: 60 },
    found: (pages) => gemini({ groundingMetadata: { groundingChunks: pages.map(chunkOf) } }),
  },
  {
    name: 'router',
    create: (url) => createOpenAiProvider({ apiKey: 'sk-test', baseUrl: `${url}/v1` }, 'router'),
    model: 'owl/eagle-1',
    path: '/v1/chat/completions',
    asked: { tools: [{ type: 'openrouter:web_search' }] },
    stream:
      choice({ content: 'A ' }) +
      choice({ content: 'berry.' }) +
      choice({ annotations: [citation(CITED), citation(SEEN)] }, 'stop') +
      event({
        choices: [],
        usage: { prompt_tokens: 9_000, completion_tokens: 60, server_tool_use: { web_search_requests: 1 } },
      }),
    searches: 1,
    usage: { promptTokens: 9_000, completionTokens: 60 },
    found: (pages) => choice({ annotations: pages.map((page) => citation(page as never)) }),
  },
];

const upstream = during('each', startFakeUpstream);
let listener: RecordingListener;
beforeEach(() => {
  listener = new RecordingListener();
});

const SEARCH: Partial<ProviderCall> = {
  prompt: { system: 'Be brief.', turns: [{ role: 'user', text: 'Is it?' }], webSearch: true },
};

describe.each(ROWS)('$name', ({ create, model, path, asked, stream, searches, usage, found }) => {
  const run = (call: Partial<ProviderCall> = SEARCH) =>
    create(upstream.url).run(callOf({ providerModel: model, ...call }), listener);
  const listed = () => {
    const sources = new ReplySources();
    sources.add(listener.webReports.flatMap(({ pages = [] }): readonly FoundPage[] => pages));
    return sources.list();
  };

  test('is asked to search only where the prompt says so', async () => {
    upstream.willReply(sendEvents(stream), sendEvents(stream));
    await run();
    await run({}).catch(() => undefined);
    const [request, plain] = upstream.requests;
    expect(request?.path).toBe(path);
    expect(JSON.parse(request?.body ?? '')).toMatchObject(asked);
    expect(JSON.parse(plain?.body ?? '')).not.toHaveProperty('tools');
  });

  test.each([
    ['at once', sendEvents],
    ['byte by byte', sendBytewise],
  ])('is heard: text, pages, what is cited first, searches and usage, sent %s', async (_, send) => {
    upstream.willReply(send(stream));
    await expect(run()).resolves.toBe('stop');
    expect(listener.texts.join('')).toBe('A berry.');
    expect(listed()).toEqual([CITED, SEEN]);
    expect(listener.webReports.map(({ searches: so = 0 }) => so).reduce((a, b) => Math.max(a, b))).toBe(searches);
    expect(listener.usages.at(-1)).toEqual(usage);
  });

  test('of ten thousand pages, with titles of a megabyte, scripts and none at all, few are kept and none harms', async () => {
    const pages = [
      { url: 'javascript:alert(1)', title: 'x' },
      { url: 7, title: {} },
      {},
      { url: 'https://example.org/big', title: 'x'.repeat(1_000_000) },
      ...Array.from({ length: 10_000 }, (_, index) => ({ url: `https://example.org/${index}`, title: `${index}` })),
    ];
    upstream.willReply(sendEvents(found(pages) + stream));
    await run();
    const sources = listed() ?? [];
    expect(sources).toHaveLength(20);
    expect(sources.every(({ url, title }) => url.startsWith('https://example.org/') && title.length <= 200)).toBe(true);
  });

  test('that says nothing of what it found is heard as ever', async () => {
    upstream.willReply(
      sendEvents(found([]) + stream.replaceAll('"url"', '"nothing"').replaceAll('"uri"', '"nothing"')),
    );
    await run();
    expect(listener.texts.join('')).toBe('A berry.');
    expect(listed()).toBeUndefined();
  });
});

describe('by responses', () => {
  const [, { create } = {} as Row] = ROWS;
  const run = (call: Partial<ProviderCall> = SEARCH) =>
    create(upstream.url).run(callOf({ providerModel: 'gpt-5.4-mini', ...call }), listener);

  test('a request carries instructions, turns, images, sampling, effort and limit', async () => {
    upstream.willReply(sendEvents(sent(openAiEvent('completed', { response: {} }))));
    await run({
      prompt: { system: 'Be brief.', turns: [{ role: 'assistant', text: 'Hi' }, LOOK], webSearch: true },
      ...{ sampling: { temperature: 0.5, topP: 0.9 }, reasoningEffort: 'low', outputTokensMax: 99 },
    });
    expect(JSON.parse(upstream.requests[0]?.body ?? '')).toEqual({
      model: 'gpt-5.4-mini',
      instructions: 'Be brief.',
      input: [
        { role: 'assistant', content: 'Hi' },
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'Look' },
            { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,cG5n' },
            { type: 'input_image', detail: 'auto', image_url: 'data:image/jpeg;base64,anBn' },
          ],
        },
      ],
      ...{ stream: true, store: false, tools: [{ type: 'web_search' }], max_tool_calls: 5 },
      ...{ temperature: 0.5, top_p: 0.9, reasoning: { effort: 'low' }, max_output_tokens: 99 },
    });
  });

  test('a response in one piece is read like its events', async () => {
    const content = [{ type: 'output_text', text: 'A berry.', annotations: [{ type: 'url_citation', ...CITED }] }];
    const output = [
      { type: 'web_search_call', action: { type: 'search', query: 'tomato' } },
      { type: 'message', role: 'assistant', content },
    ];
    const usage = { input_tokens: 90, output_tokens: 6, total_tokens: 96 };
    upstream.willReply(sendEvents(JSON.stringify({ object: 'response', status: 'completed', output, usage })));
    await expect(run()).resolves.toBe('stop');
    expect(listener.texts).toEqual(['A berry.']);
    expect(listener.webReports).toEqual([{ searches: 1 }, { pages: [{ ...CITED, isCited: true }] }]);
    expect(listener.usages).toEqual([{ promptTokens: 90, completionTokens: 6 }]);
  });

  const incomplete = (details: object) => openAiEvent('incomplete', { response: details });
  const broken = { error: { code: 'rate_limit_exceeded', message: 'x' } };
  test.each<[ends: string, last: { type: string }, reason: string]>([
    ['for its length', incomplete({ incomplete_details: { reason: 'max_output_tokens' } }), 'length'],
    ['by a filter', incomplete({ incomplete_details: { reason: 'content_filter' } }), 'content_filter'],
    ['for another reason', incomplete({}), 'unknown'],
    ['by a failure', openAiEvent('failed', { response: broken }), 'rate_limited'],
    ['by an error', { type: 'error', code: 'server_error', message: 'x' } as never, 'server'],
  ])('a reply may end early %s', async (_, last, reason) => {
    upstream.willReply(sendEvents(sent(textDelta('A'), last)));
    expect(await run().catch(({ kind }) => kind)).toBe(reason);
  });
});

test('Gemini models before the third are billed by prompt, however often they search', async () => {
  const metadata = (webSearchQueries: string[]) =>
    gemini({ finishReason: 'STOP', groundingMetadata: { webSearchQueries } });
  upstream.willReply(sendEvents(metadata([]) + metadata(['a', 'b'])));
  const provider = createGoogleProvider({ apiKey: 'sk-test', baseUrl: upstream.url });
  await provider.run(callOf({ ...SEARCH, providerModel: 'gemini-2.5-pro' }), listener);
  expect(listener.webReports.map(({ searches }) => searches)).toEqual([0, 1]);
});

test('a paused turn of Claude’s is not whole; a search that failed is not billed', async () => {
  const failed = resultBlock({ type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' });
  upstream.willReply(
    sendEvents(
      sent(
        block(0, failed),
        delta(1, { type: 'text_delta', text: 'So far' }),
        { type: 'message_delta', delta: { stop_reason: 'pause_turn' } } as never,
        { type: 'message_stop' },
      ),
    ),
  );
  const provider = createAnthropicProvider({ apiKey: 'sk-test', baseUrl: upstream.url });
  await expect(provider.run(callOf(SEARCH), listener)).resolves.toBe('length');
  expect(listener.webReports).toEqual([]);
});
