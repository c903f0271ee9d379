import Anthropic from '@anthropic-ai/sdk';
import { ModelFault } from '../../src/models/model-fault';
import { type App, QUESTION, sharedApp } from '../support/app';
import { failing, PLAIN, type ScriptedReply } from '../support/scripted-models';

/** The official client against the running service: docs/api.md, Messages, as whoever changes the base URL sees it. */

const ASKED = [{ role: 'user' as const, content: QUESTION }];
const REQUEST = { model: 'demo-ada', max_tokens: 500, messages: ASKED };
const ANSWER = 'Botanically it is a berry.';
const CALL = { id: 'toolu_1', name: 'look_up', arguments: '{"word":"tomato"}' };
const LOOK_UP = {
  name: 'look_up',
  description: 'Looks a word up.',
  input_schema: { type: 'object' as const, properties: { word: { type: 'string' } } },
};
const PANEL = ['demo-ada', 'demo-blaise'];
const THOUGHTS = [{ reasoning_content: 'A fruit ' }, { reasoning_content: 'has seeds.' }];

const app = sharedApp({ env: { RATE_LIMIT_RPM: '1000' } });

type Reply = Anthropic.Message & { readonly ensemble?: Readonly<Record<string, unknown>> };

function clientOf({ baseUrl, key }: Pick<App, 'baseUrl' | 'key'>, headers: Record<string, string> = {}) {
  return new Anthropic({ baseURL: `${baseUrl}/anthropic`, apiKey: key, maxRetries: 0, defaultHeaders: headers });
}
const create = (fields: object = {}): Promise<Reply> =>
  clientOf(app).messages.create({ ...REQUEST, ...fields } as Anthropic.MessageCreateParamsNonStreaming);
const streamed = (fields: object = {}) =>
  clientOf(app).messages.stream({ ...REQUEST, ...fields } as Anthropic.MessageStreamParams);

describe('POST /anthropic/v1/messages, by the official client', () => {
  it('answers with a message, whose usage parts what a cache had', async () => {
    const usage = { promptTokens: 100, cachedPromptTokens: 70, completionTokens: 9 };
    app.models.play(() => ({ text: ANSWER, usage }));
    const message = await create();
    expect(message).toMatchObject({
      id: expect.stringMatching(/^msg_\d+$/),
      ...{ type: 'message', role: 'assistant', model: 'demo-ada', stop_reason: 'end_turn', stop_sequence: null },
      content: [{ type: 'text', text: ANSWER }],
      usage: { input_tokens: 30, cache_read_input_tokens: 70, cache_creation_input_tokens: 0, output_tokens: 9 },
      _request_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(app.models.calls[0]?.prompt.turns).toEqual([{ role: 'user', text: QUESTION }]);
  });

  it('tells of no tokens below none, whatever a server says of its cache', async () => {
    app.models.play(() => ({ text: ANSWER, usage: { promptTokens: 5, cachedPromptTokens: 9, completionTokens: 1 } }));
    expect((await create()).usage).toMatchObject({ input_tokens: 0, cache_read_input_tokens: 9 });
  });

  it('streams the same message, block by block', async () => {
    const other = { ...CALL, id: 'toolu_2', arguments: '{}' };
    app.models.play(() => ({ text: ANSWER, toolCalls: [CALL, other] }));
    const stream = streamed({ tools: [LOOK_UP] });
    const texts: string[] = [];
    stream.on('text', (piece) => texts.push(piece));
    const { content, stop_reason, usage } = JSON.parse(JSON.stringify(await stream.finalMessage()));
    const whole = await create({ tools: [LOOK_UP] });
    expect({ content, stop_reason, usage }).toEqual({
      ...{ content: whole.content, stop_reason: whole.stop_reason, usage: whole.usage },
    });
    expect(whole).toMatchObject({
      content: [
        { type: 'text', text: ANSWER },
        { type: 'tool_use', id: 'toolu_1', name: 'look_up', input: { word: 'tomato' } },
        { type: 'tool_use', id: 'toolu_2', name: 'look_up', input: {} },
      ],
      stop_reason: 'tool_use',
    });
    expect(texts.join('')).toBe(ANSWER);
  });

  it('streams block after block, none going on once it has ended, whatever a model says at once', async () => {
    app.models.play(() => ({
      text: 'Wait.',
      goOn: async (listener) => {
        const call = (index: number) => ({
          index,
          begins: { id: `c${index}`, name: 'look_up' },
          arguments: '{"word":',
        });
        await listener.toolCall(call(0));
        await listener.toolCall(call(1));
        await listener.text(' I look ');
        await listener.toolCall({ index: 0, arguments: '"a"' });
        await listener.thought({ reasoning: 'Hm.' });
        await listener.toolCall({ index: 1, arguments: '"b"}' });
        await listener.text('it up.');
        await listener.toolCall({ index: 0, arguments: '}' });
      },
    }));
    const fields = { tools: [LOOK_UP], thinking: { type: 'enabled', budget_tokens: 1_024 } };
    let open = -1;
    const stream = streamed(fields).on('streamEvent', (event) => {
      if (event.type === 'content_block_start') expect([open, event.index]).toEqual([-1, event.index]);
      if (event.type === 'content_block_start') open = event.index;
      if (event.type === 'content_block_delta') expect(event.index).toBe(open);
      if (event.type === 'content_block_stop') open = -1;
    });
    expect((await stream.finalMessage()).content).toMatchObject([
      { type: 'text', text: 'Wait.' },
      { type: 'tool_use', id: 'c0', input: { word: 'a' } },
      { type: 'tool_use', id: 'c1', input: { word: 'b' } },
      { type: 'text', text: ' I look it up.' },
      { type: 'thinking', thinking: 'Hm.' },
    ]);
  });

  it('shows arguments deeper than any client reads them as they were written', async () => {
    const deep = `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    app.models.play(() => ({ text: '', toolCalls: [{ ...CALL, arguments: deep }] }));
    expect((await create({ tools: [LOOK_UP] })).content).toMatchObject([{ input: { arguments: deep } }]);
  });

  it.each([
    ['length', 'max_tokens'],
    ['content_filter', 'refusal'],
    ['stop', 'end_turn'],
  ] as const)('a reply that ends by %s stops for %s', async (finishReason, stopReason) => {
    app.models.play(() => ({ text: ANSWER, finishReason }));
    const stream = streamed();
    expect((await stream.finalMessage()).stop_reason).toBe(stopReason);
  });

  it('of an ensemble has what else is told under one name, and its progress in pings', async () => {
    const options = { ai_ensemble: { models: PANEL, includeCandidates: true, includeReasoning: true } };
    const message = await create(options);
    expect(message.content).toEqual([{ type: 'text', text: expect.any(String) }]);
    const { candidates, explanation, costUsd } = message.ensemble ?? {};
    expect([candidates, explanation, costUsd]).toEqual([
      PANEL.map((modelId) => expect.objectContaining({ modelId })),
      expect.any(String),
      expect.any(Number),
    ]);
    const response = await app.post('/anthropic/v1/messages', { ...REQUEST, ...options, stream: true });
    const text = await response.text();
    expect(text).toContain('event: ping\ndata: {"type":"ping","ensemble":{"status":"');
    const ended = text.split('\n').find((line) => line.startsWith('data: {"type":"message_delta"'));
    expect(JSON.parse(ended?.slice('data: '.length) ?? '')).toMatchObject({ ensemble: { candidates: [{}, {}] } });
  });

  it('runs tools until there is an answer, whole conversations being sent where a thread is refused', async () => {
    let asked = 0;
    app.models.play((call) => {
      asked += 1;
      const isAnswered = call.prompt.turns.some(({ toolResults }) => toolResults);
      return isAnswered ? { text: ANSWER } : { text: 'Wait.', toolCalls: [CALL] };
    });
    const words: unknown[] = [];
    const tool = {
      ...LOOK_UP,
      type: 'custom' as const,
      run: (input: unknown) => {
        words.push(input);
        return 'a berry';
      },
      parse: (input: unknown) => input,
    };
    const final = await clientOf(app).beta.messages.toolRunner({ ...REQUEST, tools: [tool] });
    expect(final.content).toMatchObject([{ type: 'text', text: ANSWER }]);
    expect([asked, words]).toEqual([2, [{ word: 'tomato' }]]);
    expect(app.models.calls.at(-1)?.prompt.turns).toEqual([
      { role: 'user', text: QUESTION },
      { role: 'assistant', text: 'Wait.', toolCalls: [CALL] },
      { role: 'user', text: '', toolResults: [{ callId: 'toolu_1', name: 'look_up', text: 'a berry' }] },
    ]);
  });
});

describe('what a model thinks', () => {
  it('is shown to who asks for it, and comes back with its token, streamed or not', async () => {
    app.models.play(() => ({ text: ANSWER, thoughts: THOUGHTS, toolCalls: [CALL] }));
    const fields = { tools: [LOOK_UP], thinking: { type: 'enabled', budget_tokens: 1_024 } };
    for (const { content } of [await create(fields), await streamed(fields).finalMessage()]) {
      expect(content[0]).toEqual({
        type: 'thinking',
        thinking: 'A fruit has seeds.',
        signature: expect.stringMatching(/^ens1\.[\w-]+$/),
      });
      const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'a berry' };
      await create({
        ...fields,
        messages: [...ASKED, { role: 'assistant', content }, { role: 'user', content: [result] }],
      });
      expect(app.models.calls.at(-1)?.prompt.turns[1]).toEqual({
        role: 'assistant',
        text: ANSWER,
        toolCalls: [CALL],
        reasoning: { reasoning_content: 'A fruit has seeds.' },
      });
    }
  });

  it('comes back whole where its provider has it in items, which end a stream', async () => {
    const details = [{ type: 'reasoning.encrypted', index: 0, data: 'sealed' }];
    app.models.play(() => ({ text: '', thoughts: [...THOUGHTS, { reasoning_details: details }], toolCalls: [CALL] }));
    const { content } = await streamed({ tools: [LOOK_UP] }).finalMessage();
    expect(content.map(({ type }) => type)).toEqual(['thinking', 'tool_use', 'redacted_thinking']);
    expect(content[0]).toMatchObject({ thinking: '' });
    const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'a berry' };
    await create({
      tools: [LOOK_UP],
      messages: [...ASKED, { role: 'assistant', content }, { role: 'user', content: [result] }],
    });
    expect(app.models.calls.at(-1)?.prompt.turns[1]?.reasoning).toEqual({
      reasoning_content: 'A fruit has seeds.',
      reasoning_details: details,
    });
  });

  it('is said once in all tokens together, however often the model goes back to it', async () => {
    const goOn: ScriptedReply['goOn'] = async (listener) => {
      await listener.thought({ reasoning: 'x'.repeat(20_000) });
      for (let time = 0; time < 50; time += 1) {
        await listener.text('a');
        await listener.thought({ reasoning: 'b' });
      }
    };
    app.models.play(() => ({ text: '', goOn }));
    const fields = { tools: [LOOK_UP], thinking: { type: 'adaptive', display: 'omitted' } };
    const { content } = await streamed(fields).finalMessage();
    expect(JSON.stringify(content).length).toBeLessThan(40_000);
    await create({ ...fields, messages: [...ASKED, { role: 'assistant', content }, ...ASKED] });
    const { reasoning } = app.models.calls.at(-1)?.prompt.turns[1] ?? {};
    expect(reasoning?.reasoning?.replace(/^x{20000}/, '')).toBe('b'.repeat(50));
  });

  it('is told to nobody who has neither asked for it nor tools: the first block is the answer', async () => {
    app.models.play(() => ({ text: ANSWER, thoughts: THOUGHTS }));
    for (const { content } of [await create(), await streamed().finalMessage()])
      expect(content).toEqual([{ type: 'text', text: ANSWER }]);
  });

  it.each([
    'EqQBCgIYAhIM',
    'ens1.',
    'ens1.%%%',
    `ens1.${Buffer.from('{"reasoning":1}').toString('base64url')}`,
    `ens1.${Buffer.from('['.repeat(100)).toString('base64url')}`,
    7,
    null,
  ])('of another service or of nobody is passed over: %j', async (signature) => {
    const said = [
      { type: 'thinking', thinking: 'Hm.', signature },
      { type: 'redacted_thinking', data: signature },
      { type: 'text', text: 'So?' },
    ];
    await create({ messages: [...ASKED, { role: 'assistant', content: said }, ...ASKED] });
    expect(app.models.calls[0]?.prompt.turns[1]).toEqual({ role: 'assistant', text: 'So?' });
  });
});

describe('failures', () => {
  it('come as the errors of the client, with the words of the service and the id of the request', async () => {
    const fault = await create({ max_tokens: undefined }).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(Anthropic.BadRequestError);
    expect(fault).toMatchObject({
      type: 'invalid_request_error',
      apiMessage: 'Invalid max_tokens: must be an integer greater than 0',
      requestID: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    const stranger = clientOf({ baseUrl: app.baseUrl, key: 'sk-none' }).messages.create(REQUEST);
    await expect(stranger).rejects.toBeInstanceOf(Anthropic.AuthenticationError);
    await expect(clientOf(app).models.retrieve('no-model')).rejects.toBeInstanceOf(Anthropic.NotFoundError);
  });

  it('of a stream that has not begun have a status, and of one that has end it', async () => {
    app.models.play(() => failing('unauthorized'));
    await expect(streamed().finalMessage()).rejects.toBeInstanceOf(Anthropic.InternalServerError);
    app.models.play(() => ({ text: 'The answer is ', fault: new ModelFault('network') }));
    const stream = streamed();
    const texts: string[] = [];
    stream.on('text', (piece) => texts.push(piece));
    const fault = await stream.finalMessage().catch((error: unknown) => error);
    expect(fault).toMatchObject({ type: 'api_error', status: undefined });
    expect(texts.join('')).toBe('The answer is ');
  });

  it('a stream comes again, event by event, to who repeats its request under one key', async () => {
    app.models.play(PLAIN);
    const repeat = () =>
      app.post('/anthropic/v1/messages', { ...REQUEST, stream: true }, { 'idempotency-key': 'a-key' });
    const first = await (await repeat()).text();
    const again = await repeat();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await again.text()).toBe(first);
    expect(first.endsWith('event: message_stop\ndata: {"type":"message_stop"}\n\n')).toBe(true);
    expect(app.models.calls).toHaveLength(1);
  });
});

describe('POST /anthropic/v1/messages/count_tokens and GET /anthropic/v1/models', () => {
  it('counts what the books would, without a call', async () => {
    const { client, fields } = { client: clientOf(app), fields: { model: 'demo-ada', messages: ASKED } };
    const short = await client.messages.countTokens(fields);
    const long = await client.messages.countTokens({ ...fields, system: 'x'.repeat(4_000), tools: [LOOK_UP] });
    expect([short.input_tokens, app.models.calls]).toEqual([9, []]);
    expect(long.input_tokens).toBeGreaterThan(900);
    const flaw = client.messages.countTokens({ ...fields, model: '' });
    await expect(flaw).rejects.toMatchObject({ apiMessage: 'Invalid model: must be a non-empty string' });
  });

  it('lists the models, whole, and finds each', async () => {
    const client = clientOf(app);
    const ids: string[] = [];
    for await (const { id } of client.models.list()) ids.push(id);
    expect(ids).toEqual(expect.arrayContaining(['demo-ada', 'ensemble']));
    expect(await client.models.retrieve('demo-ada')).toMatchObject({
      ...{ type: 'model', id: 'demo-ada', display_name: 'Demo Ada', created_at: '2026-01-01T00:00:00.000Z' },
    });
  });
});
