import type { ModelPrompt } from '../../src/models/model';
import type { ToolOffer } from '../../src/models/tools';
import { during } from '../support/during';
import { event, sendEvents, sendStatus, startFakeUpstream } from '../support/fake-upstream';
import { PROTOCOLS } from '../support/protocols';
import { callOf, RecordingListener } from '../support/provider-calls';

const PARAMETERS = { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] };
const TOOLS = [{ name: 'look_up', description: 'Looks a word up.', parameters: PARAMETERS }, { name: 'now' }];
const TURNS: ModelPrompt['turns'] = [
  { role: 'user', text: 'Is it?' },
  {
    role: 'assistant',
    text: 'I look.',
    toolCalls: [
      { id: 'call_1', name: 'look_up', arguments: '{"word":"tomato"}' },
      { id: 'call.2', name: 'now', arguments: 'not JSON' },
    ],
  },
  {
    role: 'user',
    text: '',
    toolResults: [
      { callId: 'call_1', name: 'look_up', text: 'a berry' },
      { callId: 'call.2', name: 'now', text: '' },
    ],
  },
];
const offer = (choice?: ToolOffer['choice'], parallel?: boolean) => ({
  tools: TOOLS,
  json: '',
  ...(choice && { choice }),
  ...(parallel !== undefined && { parallel }),
});

interface ToolWire {
  /** The tools as they are offered. */
  readonly tools: object;
  readonly choices: readonly (readonly [NonNullable<ToolOffer['choice']>, object])[];
  /** The fields that forbid several calls at once, for protocols that can. */
  readonly oneAtATime: object;
  readonly turns: readonly object[];
  /** Field of the request that has the turns. */
  readonly turnsIn: string;
  /** A stream that says `I look.`, calls both tools, the second without arguments, and took 5 and 7 tokens. */
  readonly stream: string;
  readonly ids: readonly unknown[];
}

const delta = (value: object, finish_reason: string | null = null) =>
  event({ choices: [{ index: 0, delta: value, finish_reason }] });
const openAiTools = TOOLS.map((tool) => ({ type: 'function', function: tool }));
const block = (index: number, content_block: object) => event({ type: 'content_block_start', index, content_block });
const json = (index: number, partial_json: string) =>
  event({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json } });
const OWN_ID = expect.stringMatching(/^call_[0-9a-f]{24}$/);

const WIRES: Readonly<Record<string, ToolWire>> = {
  openai: {
    tools: { tools: openAiTools },
    choices: [
      ['auto', { tool_choice: 'auto' }],
      ['none', { tool_choice: 'none' }],
      ['required', { tool_choice: 'required' }],
      [{ name: 'now' }, { tool_choice: { type: 'function', function: { name: 'now' } } }],
    ],
    oneAtATime: { parallel_tool_calls: false },
    turnsIn: 'messages',
    turns: [
      { role: 'user', content: 'Is it?' },
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'look_up', arguments: '{"word":"tomato"}' } },
          { id: 'call.2', type: 'function', function: { name: 'now', arguments: 'not JSON' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'a berry' },
      { role: 'tool', tool_call_id: 'call.2', content: '' },
    ],
    stream:
      delta({ content: 'I look.' }) +
      delta({ tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'look_up', arguments: '' } }] }) +
      delta({ tool_calls: [{ index: 0, function: { arguments: '{"word":' } }] }) +
      delta({ tool_calls: [{ index: 0, function: { arguments: '"tomato"}' } }] }) +
      delta({ tool_calls: [{ index: 1, id: 'b', type: 'function', function: { name: 'now', arguments: '' } }] }) +
      delta({}, 'tool_calls') +
      event({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 7 } }),
    ids: ['a', 'b'],
  },
  anthropic: {
    tools: {
      tools: [
        { name: 'look_up', description: 'Looks a word up.', input_schema: PARAMETERS },
        { name: 'now', input_schema: { type: 'object' } },
      ],
    },
    choices: [
      ['none', { tool_choice: { type: 'none' } }],
      ['required', { tool_choice: { type: 'any' } }],
      [{ name: 'now' }, { tool_choice: { type: 'tool', name: 'now' } }],
    ],
    oneAtATime: { tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
    turnsIn: 'messages',
    turns: [
      { role: 'user', content: 'Is it?' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'call_1', name: 'look_up', input: { word: 'tomato' } },
          { type: 'tool_use', id: 'call_2', name: 'now', input: { arguments: 'not JSON' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_1', content: 'a berry' },
          { type: 'tool_result', tool_use_id: 'call_2', content: '' },
        ],
      },
    ],
    stream:
      event({ type: 'message_start', message: { usage: { input_tokens: 5, output_tokens: 1 } } }) +
      block(0, { type: 'text', text: '' }) +
      event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'I look.' } }) +
      block(1, { type: 'tool_use', id: 'a', name: 'look_up', input: {} }) +
      json(1, '') +
      json(1, '{"word":') +
      json(1, '"tomato"}') +
      block(2, { type: 'server_tool_use', id: 'x', name: 'web_search', input: {} }) +
      json(2, '{"query":"x"}') +
      block(3, { type: 'tool_use', id: 'b', name: 'now', input: {} }) +
      event({ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 7 } }) +
      event({ type: 'message_stop' }),
    ids: ['a', 'b'],
  },
  google: {
    tools: {
      tools: [
        {
          functionDeclarations: [
            { name: 'look_up', description: 'Looks a word up.', parametersJsonSchema: PARAMETERS },
            { name: 'now' },
          ],
        },
      ],
    },
    choices: [
      ['auto', { toolConfig: { functionCallingConfig: { mode: 'AUTO' } } }],
      ['none', { toolConfig: { functionCallingConfig: { mode: 'NONE' } } }],
      ['required', { toolConfig: { functionCallingConfig: { mode: 'ANY' } } }],
      [{ name: 'now' }, { toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['now'] } } }],
    ],
    oneAtATime: {},
    turnsIn: 'contents',
    turns: [
      { role: 'user', parts: [{ text: 'Is it?' }] },
      {
        role: 'model',
        parts: [
          { text: 'I look.' },
          {
            functionCall: { name: 'look_up', args: { word: 'tomato' } },
            thoughtSignature: 'skip_thought_signature_validator',
          },
          { functionCall: { name: 'now', args: { arguments: 'not JSON' } } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'look_up', response: { result: 'a berry' } } },
          { functionResponse: { name: 'now', response: { result: '' } } },
        ],
      },
    ],
    stream:
      event({ candidates: [{ content: { role: 'model', parts: [{ text: 'I look.' }] } }] }) +
      event({
        candidates: [
          {
            content: {
              role: 'model',
              parts: [
                { functionCall: { name: 'look_up', args: { word: 'tomato' } }, thoughtSignature: 'c2lnbmVk' },
                { functionCall: { name: 'now' } },
              ],
            },
            finishReason: 'STOP',
          },
        ],
        usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 7 },
      }),
    ids: [expect.stringMatching(/^call_[0-9a-f]{24}__thought__c2lnbmVk$/), OWN_ID],
  },
};

const upstream = during('each', startFakeUpstream);

describe.each(PROTOCOLS)('tools of $name', ({ name, create, reply }) => {
  const wire = WIRES[name] as ToolWire;

  async function sent(prompt: ModelPrompt): Promise<Record<string, unknown>> {
    upstream.willReply(sendEvents(reply('ok', 1, 1)));
    await create(upstream.url).run(callOf({ prompt }), new RecordingListener());
    return JSON.parse(upstream.requests.at(-1)?.body ?? '');
  }

  test('are offered, and no choice is made that the caller has not made', async () => {
    const body = await sent({ turns: TURNS.slice(0, 1), tools: offer() });
    expect(body).toMatchObject(wire.tools);
    expect(Object.keys(body).filter((key) => /choice|config$/i.test(key) && key !== 'generationConfig')).toEqual([]);
  });

  test.each(wire.choices)('are chosen from: %j', async (choice, expected) => {
    expect(await sent({ turns: TURNS.slice(0, 1), tools: offer(choice) })).toMatchObject(expected);
  });

  test('are called one at a time where the protocol can say so', async () => {
    expect(await sent({ turns: TURNS.slice(0, 1), tools: offer(undefined, false) })).toMatchObject(wire.oneAtATime);
  });

  test('that were called and what they returned are told in the protocol’s own form', async () => {
    expect((await sent({ turns: TURNS, tools: offer() }))[wire.turnsIn]).toEqual(wire.turns);
  });

  test('a long result reaches the model whole', async () => {
    const text = 'ü"'.repeat(20_000);
    const [question, call] = TURNS as [ModelPrompt['turns'][0], ModelPrompt['turns'][0]];
    const result = { role: 'user' as const, text: '', toolResults: [{ callId: 'call_1', name: 'look_up', text }] };
    expect(JSON.stringify(await sent({ turns: [question, call, result], tools: offer() }))).toContain(
      JSON.stringify(text),
    );
  });

  test('that the model calls are told with their arguments, after its text, and counted', async () => {
    upstream.willReply(sendEvents(wire.stream));
    const listener = new RecordingListener();
    await create(upstream.url).run(callOf({ prompt: { turns: TURNS.slice(0, 1), tools: offer() } }), listener);
    expect(listener.texts.join('')).toBe('I look.');
    const [first, second] = wire.ids;
    expect(listener.toolPieces.filter(({ begins }) => begins).map(({ index, begins }) => [index, begins])).toEqual([
      [0, { id: first, name: 'look_up' }],
      [1, { id: second, name: 'now' }],
    ]);
    const argumentsOf = (call: number) =>
      listener.toolPieces.map(({ index, arguments: text }) => (index === call ? text : '')).join('');
    expect([argumentsOf(0), argumentsOf(1)]).toEqual(['{"word":"tomato"}', '{}']);
    expect(Object.assign({}, ...listener.usages)).toMatchObject({ promptTokens: 5, completionTokens: 7 });
  });
});

describe('what only one protocol asks for', () => {
  const [openai, anthropic, google] = PROTOCOLS;

  async function sent(protocol: (typeof PROTOCOLS)[0] | undefined, prompt: ModelPrompt, providerModel = 'some-model') {
    upstream.willReply(sendEvents(protocol?.reply('ok', 1, 1) ?? ''));
    await protocol?.create(upstream.url).run(callOf({ prompt, providerModel }), new RecordingListener());
    return JSON.parse(upstream.requests.at(-1)?.body ?? '');
  }

  test('Anthropic: a conversation with calls where none is offered any more names them, not to be called', async () => {
    expect(await sent(anthropic, { turns: TURNS })).toMatchObject({
      tools: ['look_up', 'now'].map((tool) => ({ name: tool, input_schema: { type: 'object' } })),
      tool_choice: { type: 'none' },
    });
  });

  test('Anthropic: words behind the results are a block of the same message, after them', async () => {
    const { messages } = await sent(anthropic, { turns: [...TURNS, { role: 'user', text: 'So?' }], tools: offer() });
    expect(messages.at(-1).content.map(({ type }: { type: string }) => type)).toEqual([
      'tool_result',
      'tool_result',
      'text',
    ]);
  });

  test('OpenAI: words behind the results are a message of their own, after them', async () => {
    const [question, call, results] = TURNS;
    if (!question || !call || !results) throw new Error('no turns');
    const { messages } = await sent(openai, { turns: [question, call, { ...results, text: 'So?' }], tools: offer() });
    expect(messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'user']);
  });

  test('Google: the signature of a call goes back with it; models that sign nothing get none', async () => {
    const toolCalls = [{ id: 'call_1__thought__c2lnbmVk', name: 'now', arguments: '{}' }];
    const turns: ModelPrompt['turns'] = [
      { role: 'user', text: 'Is it?' },
      { role: 'assistant', text: '', toolCalls },
    ];
    const { contents } = await sent(google, { turns, tools: offer() }, 'gemini-3-pro');
    expect(contents[1].parts).toEqual([{ functionCall: { name: 'now', args: {} }, thoughtSignature: 'c2lnbmVk' }]);
    const old = await sent(google, { turns: TURNS, tools: offer() }, 'gemini-2.5-pro');
    expect(JSON.stringify(old)).not.toContain('thoughtSignature');
  });

  test('OpenAI: a server that does not stream is read the same', async () => {
    const tool_calls = [{ id: 'a', type: 'function', function: { name: 'now', arguments: '{}' } }];
    const message = { role: 'assistant', content: null, tool_calls };
    upstream.willReply(sendStatus(200, { choices: [{ message, finish_reason: 'tool_calls' }] }));
    const listener = new RecordingListener();
    await openai?.create(upstream.url).run(callOf({ prompt: { turns: TURNS.slice(0, 1), tools: offer() } }), listener);
    expect(listener.toolPieces).toEqual([{ index: 0, begins: { id: 'a', name: 'now' }, arguments: '{}' }]);
  });
});
