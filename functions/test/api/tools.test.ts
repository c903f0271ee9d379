import { ModelFault } from '../../src/models/model-fault';
import { errorBody } from '../support/api-errors';
import { QUESTION, sharedApp } from '../support/app';
import { readStream } from '../support/wire';

const LOOK_UP = {
  type: 'function',
  function: {
    name: 'look_up',
    description: 'Looks a word up.',
    parameters: { type: 'object', properties: { word: { type: 'string' } }, $comment: 'kept as it is' },
    strict: true,
  },
};
const NOW = { type: 'function', function: { name: 'now' } };
const CALL = { id: 'call_1', name: 'look_up', arguments: '{"word":"tomato"}' };
const OTHER = { id: 'call_2', name: 'now', arguments: '{}' };
const ASKED = [{ role: 'user', content: QUESTION }];
const called = (...calls: (typeof CALL)[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: calls.map(({ id, ...each }) => ({ id, type: 'function', function: each })),
});
const returned = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });
const ENSEMBLE = { model: 'gpt-4o', ai_ensemble: { models: ['gpt-4o', 'gpt-4.1'] } };

describe('POST /v1/chat/completions: tools', () => {
  const app = sharedApp({ env: { RATE_LIMIT_RPM: '1000' } });
  const complete = (fields: Record<string, unknown>) => app.complete({ model: 'gpt-4o', messages: ASKED, ...fields });
  const stream = async () =>
    readStream(await app.chat({ model: 'gpt-4o', messages: ASKED, tools: [LOOK_UP], stream: true }));

  it('are offered to a plain model as they were sent, with the choice; none is none', async () => {
    const sent = { tools: [LOOK_UP, NOW], tool_choice: 'required', parallel_tool_calls: false };
    const { body, calls } = await complete(sent);
    expect(body.ignored).toBeUndefined();
    const tools = [LOOK_UP.function, NOW.function];
    const json = JSON.stringify(tools);
    expect(calls.map(({ prompt }) => prompt.tools)).toEqual([{ tools, choice: 'required', parallel: false, json }]);
    for (const none of [null, []]) {
      const reply = await complete({ tools: none });
      expect([reply.status, reply.calls.at(-1)?.prompt.tools]).toEqual([200, undefined]);
    }
  });

  it('that a model calls come back as in OpenAI’s API, counted', async () => {
    app.models.play(() => ({ text: '', toolCalls: [CALL, OTHER], usage: { promptTokens: 9, completionTokens: 4 } }));
    const { status, body } = await complete({ tools: [LOOK_UP, NOW] });
    expect(status).toBe(200);
    expect(body.choices).toEqual([{ index: 0, message: called(CALL, OTHER), finish_reason: 'tool_calls' }]);
    expect(body.usage).toMatchObject({ prompt_tokens: 9, completion_tokens: 4 });
  });

  it('are streamed piece by piece, and the last chunk says why', async () => {
    app.models.play(() => ({ text: 'Wait.', toolCalls: [CALL] }));
    const { chunks, done } = await stream();
    expect(done).toBe(true);
    const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
    expect(deltas.filter(({ tool_calls }) => tool_calls).map(({ tool_calls }) => tool_calls)).toEqual([
      [{ index: 0, id: 'call_1', type: 'function', function: { name: 'look_up', arguments: '{"w' } }],
      [{ index: 0, function: { arguments: 'ord":"tomato"}' } }],
    ]);
    expect(deltas.map(({ content = '' }) => content).join('')).toBe('Wait.');
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('tool_calls');
  });

  it('and what they returned reach the model as calls and results', async () => {
    const messages = [
      ...ASKED,
      called(CALL, OTHER),
      returned('call_1', 'a berry'),
      returned('call_2', ''),
      { role: 'assistant', content: 'Once more.' },
      called({ ...CALL, id: 'call_3' }),
      returned('call_3', 'still a berry'),
    ];
    const { status, calls } = await complete({ messages, tools: [LOOK_UP, NOW] });
    expect(status).toBe(200);
    expect(calls[0]?.prompt.turns).toEqual([
      { role: 'user', text: QUESTION },
      { role: 'assistant', text: '', toolCalls: [CALL, OTHER] },
      {
        role: 'user',
        text: '',
        toolResults: [
          { callId: 'call_1', name: 'look_up', text: 'a berry' },
          { callId: 'call_2', name: 'now', text: '' },
        ],
      },
      { role: 'assistant', text: 'Once more.' },
      { role: 'assistant', text: '', toolCalls: [{ ...CALL, id: 'call_3' }] },
      { role: 'user', text: '', toolResults: [{ callId: 'call_3', name: 'look_up', text: 'still a berry' }] },
    ]);
  });

  it.each<[fields: object, ignored: string[]]>([
    [{ reasoning: { effort: 'high' } }, ['reasoning.effort']],
    [{ reasoning: { effort: 'none' } }, []],
    [
      { reasoning: { effort: 'high' }, ai_ensemble: { includeReasoning: true, rounds: 3, strategy: 'expert_panel' } },
      ['ai_ensemble.includeReasoning', 'ai_ensemble.rounds', 'ai_ensemble.strategy'],
    ],
  ])('of a plain id go before what would take more calls: %j', async (fields, ignored) => {
    app.models.play(() => ({ text: '', toolCalls: [CALL] }));
    const { body, calls } = await complete({ ...fields, tools: [LOOK_UP] });
    expect(calls.map(({ purpose, prompt }) => [purpose, prompt.tools !== undefined])).toEqual([['answer', true]]);
    expect(body.choices).toEqual([{ index: 0, message: called(CALL), finish_reason: 'tool_calls' }]);
    expect(body.ignored ?? []).toEqual(ignored.map((name) => `${name}: no effect with tools`));
  });

  describe('what a model thinks', () => {
    const THOUGHT = { reasoning_content: 'I should look it up.' };
    const thinking = {
      text: 'Wait.',
      thoughts: [{ reasoning_content: 'I should ' }, { reasoning_content: 'look it up.' }],
    };

    it.each([
      ['beside its calls', [CALL]],
      ['beside a text, which servers want back with it too', []],
    ])('is handed out %s, in one piece and as a stream', async (_, toolCalls) => {
      app.models.play(() => ({ ...thinking, toolCalls }));
      const { body } = await complete({ tools: [LOOK_UP] });
      expect(body.choices[0].message).toMatchObject({ ...THOUGHT, content: 'Wait.' });
      const { chunks } = await stream();
      const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
      // Piece by piece and before the text; the last chunk does not say it again.
      expect(deltas.filter((delta) => 'reasoning_content' in delta)).toEqual(thinking.thoughts);
      const at = (field: string) => deltas.findIndex((delta) => Boolean(delta[field as keyof typeof delta]));
      expect(at('reasoning_content')).toBeLessThan(at('content'));
    });

    it('goes back to it with the messages as they came', async () => {
      const details = {
        reasoning_content: '',
        reasoning: 'Hm.',
        reasoning_details: [{ type: 'reasoning.encrypted', data: 'x' }],
      };
      const messages = [
        ...ASKED,
        { ...called(CALL), ...THOUGHT },
        returned('call_1', 'a berry'),
        { role: 'assistant', content: 'A berry.', ...details },
        ...ASKED,
      ];
      const { calls } = await complete({ messages, tools: [LOOK_UP] });
      expect(calls[0]?.prompt.turns).toEqual([
        { role: 'user', text: QUESTION },
        { role: 'assistant', text: '', toolCalls: [CALL], reasoning: THOUGHT },
        { role: 'user', text: '', toolResults: [{ callId: 'call_1', name: 'look_up', text: 'a berry' }] },
        { role: 'assistant', text: 'A berry.', reasoning: details },
        { role: 'user', text: QUESTION },
      ]);
    });

    it('is not sent where no tools are, and not handed out by an ensemble', async () => {
      app.models.play(() => thinking);
      const messages = [...ASKED, { role: 'assistant', content: 'A berry.', ...THOUGHT }, ...ASKED];
      for (const [fields, isTold] of [[{}, true] as const, [ENSEMBLE, false] as const]) {
        for (const sent of [false, true]) {
          const { text, calls } = await complete({ messages, ...fields, stream: sent });
          expect([sent, text.includes('reasoning_content')]).toEqual([sent, isTold]);
          expect(calls.flatMap(({ prompt }) => prompt.turns).filter(({ reasoning }) => reasoning)).toEqual([]);
        }
      }
    });

    it('in items that a server signs is whole in the last chunk, its texts before', async () => {
      const item = { type: 'reasoning.text', index: 0 };
      const thoughts = ['Hm', '.'].map((text) => ({ reasoning: text, reasoning_details: [{ ...item, text }] }));
      app.models.play(() => ({ text: 'Yes.', thoughts }));
      const { chunks } = await readStream(await app.chat({ model: 'gpt-4o', stream: true }));
      const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
      expect(deltas.filter((delta) => 'reasoning' in delta)).toEqual([{ reasoning: 'Hm' }, { reasoning: '.' }]);
      expect(deltas.at(-1)).toEqual({ reasoning_details: [{ ...item, text: 'Hm.' }] });
    });

    it.each([
      [{ reasoning_content: 7, reasoning: { text: 'x' }, reasoning_details: 'none' }],
      [{ reasoning_details: [null, 1, 'x'] }],
    ])('is none that is of another kind: %j', async (fields) => {
      const messages = [...ASKED, { ...called(CALL), ...fields }, returned('call_1', 'a berry')];
      const { calls } = await complete({ messages, tools: [LOOK_UP] });
      expect(calls[0]?.prompt.turns[1]).toEqual({ role: 'assistant', text: '', toolCalls: [CALL] });
    });
  });

  it('a call without its result and a result without its call are what they are without tools', async () => {
    const messages = [...ASKED, called(CALL, OTHER), returned('call_2', '12:00'), returned('call_9', 'lost'), ...ASKED];
    const { calls } = await complete({ messages, tools: [LOOK_UP, NOW] });
    expect(calls[0]?.prompt.turns).toEqual([
      { role: 'user', text: QUESTION },
      { role: 'assistant', text: '', toolCalls: [OTHER] },
      { role: 'user', text: '', toolResults: [{ callId: 'call_2', name: 'now', text: '12:00' }] },
      { role: 'user', text: 'lost' },
      { role: 'user', text: QUESTION },
    ]);
  });

  it('count in what is estimated of a prompt', async () => {
    const listed = async (fields: object) => {
      app.models.play(() => ({ text: 'x', usage: null }));
      const { body } = await complete({ ...fields });
      return Number(body.usage['prompt_tokens']);
    };
    const without = await listed({});
    const description = '🍅'.repeat(600);
    const tools = [{ type: 'function', function: { name: 'now', description } }];
    expect((await listed({ tools })) - without).toBeGreaterThanOrEqual(1_000);
  });

  it('are not called where a form is asked for but the reply is a call: its text is in no form', async () => {
    app.models.play(() => ({ text: 'Let me see.', toolCalls: [CALL] }));
    const { body, calls } = await complete({ tools: [LOOK_UP], response_format: { type: 'json_object' } });
    expect(calls).toHaveLength(1);
    expect(body.degraded).toBeUndefined();
    expect(body.choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { content: 'Let me see.' } });
  });

  const fn = (fields: object) => ({ type: 'function', function: fields });
  it.each<[fields: object, rule: string]>([
    [{ tools: 'all' }, 'tools: must be an array of tools'],
    [{ tools: Array(129).fill(NOW) }, 'tools: at most 128 tools'],
    [{ tools: [7] }, 'tools[0]: must be an object with type and function'],
    [{ tools: [{ type: 'web_search' }] }, 'tools[0].type: must be function: no other tools are known here'],
    [{ tools: [{ type: 'function' }] }, 'tools[0].function: must be an object with a name'],
    [{ tools: [NOW, fn({ name: 'a b' })] }, 'tools[1].function.name: must be 1 to 64 letters, digits, "_" or "-"'],
    [{ tools: [NOW, NOW] }, 'tools[1].function.name: is used twice'],
    [{ tools: [fn({ name: 'a', parameters: [] })] }, 'tools[0].function.parameters: must be a JSON Schema object'],
    [
      { tools: [NOW], tool_choice: 'always' },
      'tool_choice: must be none, auto, required, or the name of a function as {"type": "function", "function": {"name": "…"}}',
    ],
    [{ tools: [NOW], tool_choice: LOOK_UP }, 'tool_choice: names no tool of tools'],
    [{ tool_choice: 'required' }, 'tool_choice: names no tool of tools'],
    [{ tools: [NOW], parallel_tool_calls: 'no' }, 'parallel_tool_calls: must be a boolean'],
  ])('must be what they are, for a plain model and an ensemble (case %#)', async (fields, rule) => {
    for (const asked of [{}, ENSEMBLE]) {
      const { status, body, calls } = await complete({ ...asked, ...fields });
      expect({ status, body, calls }).toEqual({ status: 400, body: errorBody(`Invalid ${rule}`), calls: [] });
    }
  });

  it('an ensemble without tools reads messages of tools as texts, also a result without its call', async () => {
    const messages = [...ASKED, called(CALL), returned('call_1', 'A'), returned('call_2', 'a berry')];
    const { status, body, calls } = await complete({ ...ENSEMBLE, messages, tools: [], tool_choice: 'auto' });
    expect({ status, ignored: body.ignored }).toEqual({ status: 200, ignored: ['tool_choice'] });
    for (const { prompt } of calls) {
      expect(prompt.tools).toBeUndefined();
      expect(prompt.turns.every(({ toolCalls, toolResults }) => !toolCalls && !toolResults)).toBe(true);
      expect(prompt.turns.at(-1)?.text).toContain('a berry');
    }
  });

  it('of an ensemble, a last message without words is refused though a tool returned it', async () => {
    const messages = [...ASKED, called(CALL), returned('call_1', '')];
    expect((await complete({ messages, tools: [LOOK_UP] })).status).toBe(200);
    const { status, body } = await complete({ ...ENSEMBLE, messages });
    const rule = 'the last message is the prompt and must not be empty';
    expect({ status, body }).toEqual({ status: 400, body: errorBody(`Invalid messages: ${rule}`) });
  });

  it('a window that is too small parts no result from its call', async () => {
    // About 20,000 tokens.
    const long = 'a berry. '.repeat(9_500);
    const pair = (id: string) => [called({ ...CALL, id }), returned(id, long)];
    const messages = [
      ...ASKED,
      ...pair('c1'),
      ...pair('c2'),
      ...pair('c3'),
      called(CALL),
      returned('call_1', 'a berry'),
    ];
    // Its window holds 32,000 tokens, 27,200 beside the reply. With tools its agent shortens it, and nobody else.
    const whole = await complete({ model: 'demo-ada', messages, tools: [LOOK_UP] });
    expect([whole.calls[0]?.prompt.turns.length, whole.body.degraded]).toEqual([9, undefined]);
    const { calls } = await complete({ model: 'demo-ada', messages });
    const turns = calls[0]?.prompt.turns ?? [];
    expect(turns.map(({ toolCalls, toolResults }) => toolCalls?.[0]?.id ?? toolResults?.[0]?.callId)).toEqual([
      undefined,
      'c3',
      'c3',
      'call_1',
      'call_1',
    ]);
    expect(turns[0]?.text).toContain('5 earlier messages left out');
  });

  it.each([
    ['as its provider says', 'gpt-y', 8_192, 8_192],
    ['as the catalog says', 'demo-ada', undefined, 32_000],
  ])('too long with them is said in words that agents look for, at once: %s', async (_, model, contextTokens, told) => {
    app.models.play(() => ({ text: '', usage: null, fault: new ModelFault('context_length', { contextTokens }) }));
    const messages = [...ASKED, { role: 'assistant', content: 'A berry.' }, ...ASKED];
    const { status, body, calls } = await complete({ model, messages, tools: [LOOK_UP] });
    const words = `context length: this model's maximum context length is ${told} tokens`;
    const hint = 'please reduce the length of the messages (context_length_exceeded)';
    expect({ status, body }).toEqual({
      status: 400,
      body: errorBody(`The model failed: ${model} (${words}); ${hint}`),
    });
    expect(calls).toHaveLength(1);
  });

  it('responses know no tools', async () => {
    const { status, calls } = await app.respond({ model: 'gpt-4o', tools: [NOW], tool_choice: 'required' });
    expect({ status, tools: calls[0]?.prompt.tools }).toEqual({ status: 200, tools: undefined });
  });
});
