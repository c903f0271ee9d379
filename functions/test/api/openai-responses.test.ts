import OpenAI from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import * as z from 'zod';
import { ModelFault } from '../../src/models/model-fault';
import { bearer, QUESTION, sharedApp } from '../support/app';
import { PLAIN, type Script } from '../support/scripted-models';

const PATH = '/openai/v1/responses';
const ANSWER = 'Botanically it is a berry.';
const PANEL = ['demo-ada', 'demo-blaise'];
const ENSEMBLE = { models: PANEL, includeCandidates: true };
const CALL = { id: 'call_1', name: 'look_up', arguments: '{"word":"tomato"}' };
const LOOK_UP = {
  type: 'function' as const,
  name: 'look_up',
  strict: true,
  parameters: { type: 'object', properties: { word: { type: 'string' } } },
};
const PATCH = { type: 'custom' as const, name: 'apply_patch' };
const AGENTS = {
  type: 'namespace' as const,
  name: 'agents',
  description: 'Others.',
  tools: [{ type: 'function' as const, name: 'spawn', parameters: {} }],
};

type Event = OpenAI.Responses.ResponseStreamEvent;
type Body = Partial<OpenAI.Responses.ResponseCreateParamsNonStreaming> & { readonly ai_ensemble?: object };

const said = (...toolCalls: (typeof CALL)[]): Script => {
  return () => ({ text: '', toolCalls, usage: { promptTokens: 9, completionTokens: 4 } });
};

describe(`POST ${PATH}`, () => {
  const app = sharedApp({ env: { RATE_LIMIT_RPM: '1000' } });
  const client = () => new OpenAI({ baseURL: `${app.baseUrl}/openai/v1`, apiKey: app.key, maxRetries: 0 });
  const bodyOf = (fields: Body) => ({ model: 'gpt-4o', input: QUESTION, ...fields });
  const create = (fields: Body = {}) => client().responses.create(bodyOf(fields) as never) as unknown as Promise<Reply>;
  const events = async (fields: Body = {}): Promise<Event[]> =>
    Array.fromAsync(await client().responses.create({ ...bodyOf(fields), stream: true }));
  const promptOf = async (fields: Body) => {
    await create(fields);
    return app.models.calls.at(-1)?.prompt;
  };
  type Reply = OpenAI.Responses.Response & { readonly ensemble: Readonly<Record<string, unknown>> };
  const last = (told: readonly Event[]) => (told.at(-1) as OpenAI.Responses.ResponseCompletedEvent).response;
  const unnumbered = (told: readonly Event[]) => told.map(({ type }) => type);

  it('answers in one piece as OpenAI’s own server does, with what is our own under ensemble', async () => {
    const { output_text, ...reply } = await create({ metadata: { a: 'b' }, top_logprobs: 3 });
    expect(output_text).toBe(ANSWER);
    expect(reply).toEqual({
      id: expect.stringMatching(/^resp_\d+$/),
      ...{ object: 'response', created_at: expect.any(Number), status: 'completed', model: 'gpt-4o' },
      output: [
        {
          id: expect.stringMatching(/^msg_\d+_0$/),
          ...{ type: 'message', status: 'completed', role: 'assistant' },
          content: [{ type: 'output_text', annotations: [], logprobs: [], text: ANSWER }],
        },
      ],
      usage: {
        ...{ input_tokens: 1, output_tokens: 1, total_tokens: 2 },
        input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
        output_tokens_details: { reasoning_tokens: 0 },
      },
      ensemble: { costUsd: expect.any(Number), ignored: ['top_logprobs'] },
      ...{ error: null, incomplete_details: null, instructions: null, tools: [], metadata: { a: 'b' } },
      ...{ max_output_tokens: null, max_tool_calls: null, previous_response_id: null, prompt_cache_key: null },
      ...{ parallel_tool_calls: true, tool_choice: 'auto', top_logprobs: 3, safety_identifier: null, user: null },
      ...{ reasoning: { effort: null, summary: null }, text: { format: { type: 'text' } }, service_tier: null },
      ...{ temperature: null, top_p: null, truncation: 'disabled', background: false, store: false },
    });
  });

  it('streams numbered events of a fixed sequence, whose last has what they told', async () => {
    const told = await events();
    expect(told.map(({ sequence_number }) => sequence_number)).toEqual(told.map((_, index) => index));
    expect(unnumbered(told)).toEqual([
      ...['response.created', 'response.in_progress', 'response.output_item.added', 'response.content_part.added'],
      ...ANSWER.split(' ').map(() => 'response.output_text.delta'),
      ...['response.output_text.done', 'response.content_part.done', 'response.output_item.done'],
      'response.completed',
    ]);
    const done = told.flatMap((event) => (event.type === 'response.output_item.done' ? [event.item] : []));
    expect(last(told).output).toEqual(done);
    const { created_at, id } = last(told);
    expect((told[0] as OpenAI.Responses.ResponseCreatedEvent).response).toMatchObject({ id, created_at, output: [] });
  });

  it.each<[name: string, fields: Body, script: Script]>([
    ['text', {}, PLAIN],
    ['calls side by side', { tools: [LOOK_UP] }, said(CALL, { ...CALL, id: 'call_2' })],
    ['text and a call', { tools: [LOOK_UP] }, () => ({ text: 'Wait.', toolCalls: [CALL] })],
    ['thoughts', {}, () => ({ text: 'Yes.', thoughts: [{ reasoning_content: 'Hm' }, { reasoning_content: '.' }] })],
    ['an ensemble', { ai_ensemble: ENSEMBLE }, PLAIN],
    ['an answer cut off', {}, (call) => ({ ...PLAIN(call), finishReason: 'length' })],
  ])('the SDK makes of a stream with %s what its last event says', async (_, fields, script) => {
    app.models.play(script);
    const stream = client().responses.stream(bodyOf(fields) as object);
    const told: Event[] = [];
    for await (const event of stream) told.push(event);
    expect((await stream.finalResponse()).output).toMatchObject(last(told).output);
    expect(new Set(last(told).output.map(({ id }) => id)).size).toBe(last(told).output.length);
  });

  it('parses structured output', async () => {
    app.models.play(() => ({ text: '{"fruit":true}' }));
    const format = zodTextFormat(z.object({ fruit: z.boolean() }), 'verdict');
    const { output_parsed } = await client().responses.parse({ ...bodyOf({}), text: { format } });
    expect(output_parsed).toEqual({ fruit: true });
    expect(app.models.calls[0]?.outputSchema).toMatchObject({ name: 'verdict' });
  });

  describe('output', () => {
    it.each([
      ['length', 'incomplete', 'max_output_tokens'],
      ['content_filter', 'incomplete', 'content_filter'],
      ['stop', 'completed', undefined],
    ] as const)('of a model that ends by %s is %s', async (finishReason, status, reason) => {
      app.models.play((call) => ({ ...PLAIN(call), finishReason }));
      const streamed = await events();
      expect(streamed.at(-1)?.type).toBe(`response.${status}`);
      for (const response of [await create(), last(streamed)]) {
        expect([response.status, response.incomplete_details?.reason]).toEqual([status, reason]);
        expect(response.output).toMatchObject([{ status, content: [{ text: ANSWER }] }]);
      }
    });

    it('has the progress of an ensemble as parts of a summary, and its candidates under ensemble', async () => {
      const told = await events({ ai_ensemble: ENSEMBLE });
      const { output, ensemble } = last(told) as Reply;
      expect(output.map(({ type }) => type)).toEqual(['reasoning', 'message']);
      const [{ summary }] = output as [OpenAI.Responses.ResponseReasoningItem];
      expect(summary.map(({ text }) => text)).toEqual(expect.arrayContaining([expect.stringMatching(/^Round 1 of 1/)]));
      expect(ensemble).toMatchObject({ candidates: PANEL.map((modelId) => ({ modelId })) });
      expect(unnumbered(told).filter((type) => type === 'response.reasoning_summary_text.done')).toHaveLength(
        summary.length,
      );
    });

    it('is the call of a function with its arguments as they come', async () => {
      app.models.play(said(CALL));
      const told = await events({ tools: [LOOK_UP] });
      const pieces = told.flatMap((event) =>
        event.type === 'response.function_call_arguments.delta' ? [event.delta] : [],
      );
      expect(pieces).toEqual(['{"w', 'ord":"tomato"}']);
      const { id: call_id, ...named } = CALL;
      const call = { type: 'function_call', call_id, ...named, status: 'completed', id: expect.stringMatching(/^fc_/) };
      expect(last(told).output).toEqual([call]);
      expect((await create({ tools: [LOOK_UP] })).output).toEqual([call]);
    });

    it('is incomplete where a call is cut off', async () => {
      app.models.play(() => ({ text: '', toolCalls: [CALL], finishReason: 'length' }));
      const streamed = await events({ tools: [LOOK_UP] });
      expect(streamed.at(-1)?.type).toBe('response.incomplete');
      for (const { status, incomplete_details, output } of [await create({ tools: [LOOK_UP] }), last(streamed)]) {
        expect([status, incomplete_details?.reason]).toEqual(['incomplete', 'max_output_tokens']);
        expect(output).toMatchObject([{ type: 'function_call', status: 'incomplete' }]);
      }
    });

    it('is the call of a custom tool with its text', async () => {
      app.models.play(said({ id: 'call_1', name: 'apply_patch', arguments: '{"input":"*** Begin\\n\\"x\\""}' }));
      const told = await events({ tools: [PATCH] });
      const call = { type: 'custom_tool_call', name: 'apply_patch', call_id: 'call_1', input: '*** Begin\n"x"' };
      expect(last(told).output).toMatchObject([call]);
      expect(told).toContainEqual(
        expect.objectContaining({ type: 'response.custom_tool_call_input.delta', delta: call.input }),
      );
      expect(app.models.calls[0]?.prompt.tools?.tools).toMatchObject([
        { name: 'apply_patch', parameters: { required: ['input'] } },
      ]);
    });

    it('is the call of a tool of a namespace under both its names', async () => {
      app.models.play(said({ id: 'call_1', name: 'agents__spawn', arguments: '{}' }));
      const { output } = await create({ tools: [AGENTS] });
      expect(output).toMatchObject([{ type: 'function_call', name: 'spawn', namespace: 'agents' }]);
      app.models.play(PLAIN);
      const input = [...(output as OpenAI.Responses.ResponseInput), returned('call_1', 'Done.')];
      expect(await promptOf({ input: [user('Go.'), ...input] })).toMatchObject({
        turns: [{}, { toolCalls: [{ name: 'agents__spawn' }] }, { toolResults: [{ text: 'Done.' }] }],
      });
    });

    it('of an ensemble that has to call one tool is that call', async () => {
      app.models.play((call) => (call.purpose === 'answer' ? { text: '{"word":"tomato"}' } : PLAIN(call)));
      const forced: Body = { tools: [LOOK_UP], tool_choice: { type: 'function', name: 'look_up' } };
      const format = { type: 'json_object' as const };
      const { output, ensemble } = last(await events({ ...forced, text: { format }, ai_ensemble: ENSEMBLE })) as Reply;
      expect(ensemble['ignored']).toEqual(['text']);
      expect(output.at(-1)).toMatchObject({ type: 'function_call', name: 'look_up', arguments: CALL.arguments });
    });
  });

  it('fails within a stream as a response that failed, and before it begins with a status', async () => {
    app.models.play(() => ({ text: 'The answer is ', fault: new ModelFault('network') }));
    const told = await events();
    expect(told.at(-1)).toMatchObject({
      type: 'response.failed',
      response: {
        status: 'failed',
        error: { code: 'server_error', message: expect.stringContaining('gpt-4o') },
        output: [{ status: 'incomplete', content: [{ text: 'The answer is ' }] }],
      },
    });
    app.models.play(() => ({ text: '', fault: new ModelFault('bad_request') }));
    await expect(events()).rejects.toMatchObject({ status: 400, error: { type: 'invalid_request_error' } });
  });

  it('repeats what is short of a request, and in events that come often nothing', async () => {
    const metadata = { long: 'x'.repeat(1_000_000) };
    const body = { ...bodyOf({ metadata, ai_ensemble: { ...ENSEMBLE, includeTrace: true } }), stream: true, user: 'u' };
    const text = await (await app.post(PATH, body)).text();
    expect(text.length).toBeLessThan(100_000);
    const traced = text.split('\n').filter((line) => line.includes('"trace":'));
    expect(traced.length).toBeGreaterThan(5);
    expect(traced.filter((line) => line.includes('"user":"u"'))).toEqual([]);
    expect(JSON.parse(text.trim().split('\ndata: ').at(-1) ?? '')).toMatchObject({
      response: { metadata: {}, user: 'u' },
    });
  });

  it('gives a stream again, byte by byte, for the same Idempotency-Key', async () => {
    const post = () => app.post(PATH, bodyOf({ stream: true } as never), { 'idempotency-key': 'one' });
    const first = await (await post()).text();
    expect(first).toMatch(/^event: response\.created\ndata: \{"type":"response\.created"/);
    expect(first).not.toContain('[DONE]');
    const again = await post();
    expect([again.headers.get('idempotent-replayed'), await again.text()]).toEqual(['true', first]);
    expect(app.models.calls).toHaveLength(1);
  });

  it('takes a key by either header', async () => {
    const ask = (headers: Record<string, string>) =>
      fetch(app.baseUrl + PATH, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(bodyOf({})),
      });
    for (const headers of [bearer(app.key), { 'x-api-key': app.key }]) expect((await ask(headers)).status).toBe(200);
    const refused = await ask({ 'x-api-key': 'wrong' });
    expect([refused.status, await refused.json()]).toMatchObject([401, { error: { code: 'invalid_api_key' } }]);
  });

  describe('input', () => {
    it('is one conversation of messages, calls and results, with all instructions in front', async () => {
      const prompt = await promptOf({
        instructions: 'Be brief.',
        input: [
          { role: 'developer', content: [{ type: 'input_text', text: 'Be kind.' }] },
          user('Is it?'),
          { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA-of-another-server' },
          message('Let me see.'),
          { type: 'function_call', call_id: 'call_1', name: 'look_up', arguments: '{}' },
          { type: 'custom_tool_call', call_id: 'call_2', name: 'apply_patch', input: 'x' },
          returned('call_1', 'A fruit.'),
          { type: 'custom_tool_call_output', call_id: 'call_2', output: [{ type: 'input_text', text: 'Done.' }] },
        ],
        tools: [LOOK_UP, PATCH],
      });
      expect(prompt).toMatchObject({
        system: 'Be brief.\n\nBe kind.',
        turns: [
          { role: 'user', text: 'Is it?' },
          {
            role: 'assistant',
            text: 'Let me see.',
            toolCalls: [
              { id: 'call_1', name: 'look_up', arguments: '{}' },
              { id: 'call_2', name: 'apply_patch', arguments: '{"input":"x"}' },
            ],
          },
          {
            role: 'user',
            toolResults: [
              { callId: 'call_1', text: 'A fruit.' },
              { callId: 'call_2', text: 'Done.' },
            ],
          },
        ],
      });
    });

    it('keeps later instructions where they stand, so that they begin no turn', async () => {
      const input = [
        user('One.'),
        message('Two.'),
        { role: 'developer' as const, content: 'Be kind.' },
        user('Three.'),
      ];
      const { turns = [], system } = (await promptOf({ input: [...input, { role: 'system', content: 'Now.' }] })) ?? {};
      expect(system).toBeUndefined();
      expect(turns.map(({ text }) => text)).toEqual([
        ...['One.', 'Two.', '<system>\nBe kind.\n</system>'],
        'Three.\n\n<system>\nNow.\n</system>',
      ]);
    });

    it('keeps instructions behind an output with it: they are no words of the user', async () => {
      const call = { type: 'function_call' as const, call_id: 'a', name: 'look_up', arguments: '{}' };
      const late = ['Be kind.', 'Be brief.'].map((content) => ({ role: 'developer' as const, content }));
      const { turns = [] } =
        (await promptOf({ input: [user('Is it?'), call, returned('a', '1'), ...late], tools: [LOOK_UP] })) ?? {};
      const text = '<system>\nBe kind.\n</system>\n\n<system>\nBe brief.\n</system>';
      expect(turns).toMatchObject([{ text: 'Is it?' }, { toolCalls: [{}] }, { toolResults: [{ text: '1' }], text }]);
      expect(turns).toHaveLength(3);
    });

    it('has outputs beside their calls, whatever came between', async () => {
      const call = (call_id: string) => ({ type: 'function_call' as const, call_id, name: 'look_up', arguments: '{}' });
      const input = [user('Is it?'), call('a'), call('b'), returned('a', '1'), user('Hurry.'), returned('b', '2')];
      const { turns } = (await promptOf({ input, tools: [LOOK_UP] })) ?? {};
      expect(turns).toMatchObject([{}, { toolCalls: [{}, {}] }, { toolResults: [{}, {}] }, { text: 'Hurry.' }]);
    });

    it('has the thoughts of a model that called a tool again, as it thought them', async () => {
      const thoughts = { reasoning_content: 'Hm.', reasoning_details: [{ type: 'x', data: 'sealed' }] };
      for (const isStream of [false, true]) {
        app.models.play(() => ({ text: '', thoughts: [thoughts], toolCalls: [CALL] }));
        const { output } = isStream ? last(await events({ tools: [LOOK_UP] })) : await create({ tools: [LOOK_UP] });
        app.models.play(PLAIN);
        const input = [user('Is it?'), ...(output as OpenAI.Responses.ResponseInput), returned('call_1', 'Yes.')];
        const prompt = await promptOf({ input, tools: [LOOK_UP] });
        expect(prompt?.turns[1]).toMatchObject({ toolCalls: [CALL], reasoning: thoughts });
      }
    });

    it('passes over references to thoughts, and to a text beside a call, which is said', async () => {
      const call = { type: 'function_call', call_id: 'call_1', name: 'look_up', arguments: '{}' } as const;
      const input = [user('Is it?'), reference('rs_1_0'), reference('msg_1_1'), call, returned('call_1', 'Yes.')];
      const { ensemble, status } = await create({ input, tools: [LOOK_UP] });
      expect([status, ensemble['ignored']]).toEqual([
        'completed',
        ['input[2]: text beside a call, which was not stored'],
      ]);
    });
  });

  it('leaves out tools of OpenAI’s own that clients offer unasked, and says so', async () => {
    const tools = [LOOK_UP, { type: 'web_search', external_web_access: true } as never];
    const { ensemble } = await create({ tools, include: ['reasoning.encrypted_content'], max_output_tokens: 5 });
    expect(ensemble['ignored']).toEqual(['tools: web_search', 'max_output_tokens']);
    expect(app.models.calls[0]?.prompt.tools?.tools).toHaveLength(1);
    const long = { ...AGENTS, name: 'a'.repeat(60) };
    const { ensemble: next } = await create({ tools: [long, LOOK_UP] });
    expect(next['ignored']).toEqual([`tools: ${long.name}__spawn: name too long`]);
  });

  it('takes a call for that of the tool that was offered, whatever was left out', async () => {
    app.models.play(said(CALL));
    const { output } = await create({ tools: [LOOK_UP, { type: 'web_search', name: 'look_up' } as never] });
    expect(output).toMatchObject([{ type: 'function_call', name: 'look_up' }]);
  });

  it('says what has no effect with tools', async () => {
    const ai_ensemble = { includeReasoning: true, rounds: 2 };
    const { ensemble } = await create({ tools: [LOOK_UP], ai_ensemble });
    expect(ensemble['ignored']).toEqual(
      ['includeReasoning', 'rounds'].map((name) => `ai_ensemble.${name}: no effect with tools`),
    );
  });

  it('takes null for absent, in an item as in the body', async () => {
    const body = { model: 'gpt-4o', previous_response_id: null, conversation: null, tools: null, text: null };
    const { status } = await app.send(PATH, { ...body, input: [{ type: null, ...user('Hi') }] });
    expect(status).toBe(200);
  });

  it('offers those tools alone that are allowed', async () => {
    const tool_choice = { type: 'allowed_tools', mode: 'required', tools: [{ type: 'custom', name: 'apply_patch' }] };
    const prompt = await promptOf({ tools: [LOOK_UP, PATCH], tool_choice: tool_choice as never });
    expect(prompt?.tools).toMatchObject({ tools: [{ name: 'apply_patch' }], choice: 'required' });
  });

  it('has an effort for the model and no explanation', async () => {
    const { ensemble } = await create({ reasoning: { effort: 'high' }, ai_ensemble: ENSEMBLE });
    expect(app.models.calls.map(({ purpose, reasoningEffort }) => [purpose, reasoningEffort])).toContainEqual([
      'answer',
      'high',
    ]);
    expect(ensemble['explanation']).toBeUndefined();
  });

  it.each<[fields: object, message: string]>([
    [{ input: undefined }, 'Invalid input: must be a text that is not blank, or an array of items'],
    [{ input: [] }, 'Invalid input: must be a text that is not blank, or an array of items'],
    [{ input: ' ' }, 'Invalid input: must be a text that is not blank, or an array of items'],
    [
      { input: [user('Hi'), user(' ')] },
      'Invalid input[1].content: the last message is the prompt and must not be empty',
    ],
    [{ input: [7] }, 'Invalid input[0]: must be an object'],
    [{ input: [null] }, 'Invalid input[0]: must be an object'],
    [
      { input: [user('Hi'), { type: 'local_shell_call' }] },
      'Invalid input[1].type: no item of this type is known here: must be message, function_call, custom_tool_call, an output of these, or reasoning',
    ],
    [{ input: [{ type: 'constructor' }] }, expect.stringMatching(/^Invalid input\[0\]\.type: no item/)],
    [
      { input: [{ role: 'tool', content: 'x' }] },
      'Invalid input[0].role: must be one of user, assistant, system, developer',
    ],
    [
      { input: [{ role: 'user', content: [{ type: 'input_audio' }] }] },
      'Invalid input[0].content[0]: unsupported content part type "input_audio": only input_text, output_text, refusal, input_image and input_file parts are supported',
    ],
    [
      { input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'f' }] }] },
      'Invalid input[0].content[0]: the URL of an "input_image" part must be a data URI (data:image/png;base64,…) or an https address',
    ],
    [
      { input: [user('x'), { type: 'function_call', name: 'f', arguments: '{}' }] },
      'Invalid input[1].call_id: must be a string',
    ],
    [
      { input: [user('x'), { type: 'function_call_output', call_id: 'c' }] },
      'Invalid input[1].output: must be a string or an array of parts',
    ],
    [
      { input: [user('x'), reference('msg_1'), user('y')] },
      expect.stringMatching(/^Invalid input\[1\]\.type: nothing is stored here.*store: false/),
    ],
    [
      { input: [reference('fc_1'), user('y')] },
      expect.stringMatching(/^Invalid input\[0\]\.type: nothing is stored here/),
    ],
    [
      { previous_response_id: 'resp_1' },
      expect.stringMatching(/^Invalid previous_response_id: nothing is stored here/),
    ],
    [{ conversation: { id: 'conv_1' } }, expect.stringMatching(/^Invalid conversation: nothing is stored here/)],
    [
      { tools: [{ type: 'mcp', server_url: 'x' }] },
      'Invalid tools[0].type: must be function, custom or namespace: the service runs no tools of its own',
    ],
    [
      { tools: [{ type: 'function', name: 'a b' }] },
      'Invalid tools[0].name: must be 1 to 64 letters, digits, "_" or "-"',
    ],
    [
      { tools: ['a', 'b'].map((name) => ({ ...AGENTS, name, tools: Array.from({ length: 65 }, nth) })) },
      'Invalid tools: at most 128 tools',
    ],
    [{ tools: [LOOK_UP, LOOK_UP] }, 'Invalid tools[1].name: is used twice'],
    [{ tools: [{ type: 'web_search' }, LOOK_UP, LOOK_UP] }, 'Invalid tools[2].name: is used twice'],
    [{ tools: [AGENTS, { ...LOOK_UP, name: 'agents__spawn' }, AGENTS] }, 'Invalid tools[1].name: is used twice'],
    [{ tools: [LOOK_UP, AGENTS, AGENTS] }, 'Invalid tools[2].tools[0].name: is used twice'],
    [
      {
        tools: [{ type: 'web_search' }, { ...LOOK_UP, parameters: { type: 'array' } }],
        tool_choice: 'required',
        ai_ensemble: ENSEMBLE,
      },
      'Invalid tools (look_up): must have the type object, as the arguments of a call are one',
    ],
    [{ tool_choice: 'required' }, 'Invalid tool_choice: needs tools'],
    [
      { tools: [LOOK_UP], tool_choice: { type: 'function', name: 'other' } },
      'Invalid tool_choice: names no tool of tools',
    ],
    [
      { tools: [LOOK_UP], tool_choice: { type: 'web_search' } },
      expect.stringMatching(/^Invalid tool_choice: must be none/),
    ],
    [
      { text: { format: { type: 'json_schema', schema: {} } } },
      'Invalid text.format.name: must be 1 to 64 letters, digits, underscores and dashes',
    ],
    [{ max_output_tokens: 0 }, 'Invalid max_output_tokens: must be an integer greater than 0'],
    [{ reasoning: 'high' }, 'Invalid reasoning: must be an object'],
    [
      { input: [user('x'), returned('call_9', '')] },
      'Invalid input[1].call_id: must be the call_id of a call before it',
    ],
    [
      { input: [user('x'), message('y'), returned('call_9', 'z')] },
      'Invalid input[2].call_id: must be the call_id of a call before it',
    ],
  ])('refuses %j by the name of its field', async (fields, text) => {
    const { status, body } = await app.send(PATH, { model: 'gpt-4o', input: QUESTION, ...fields });
    expect([status, body]).toEqual([
      400,
      { error: { message: text, type: 'invalid_request_error', param: null, code: null } },
    ]);
    expect(app.models.calls).toEqual([]);
  });
});

function nth(_: unknown, index: number) {
  return { type: 'function', name: `tool_${index}` };
}

function user(content: string) {
  return { role: 'user' as const, content };
}

function message(text: string): OpenAI.Responses.ResponseOutputMessage {
  const content = [{ type: 'output_text' as const, text, annotations: [] }];
  return { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content };
}

function returned(call_id: string, output: string) {
  return { type: 'function_call_output' as const, call_id, output };
}

function reference(id: string) {
  return { type: 'item_reference' as const, id };
}
