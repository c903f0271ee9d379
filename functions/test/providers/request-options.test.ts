import { isDeepStrictEqual } from 'node:util';
import type { ChatTurn, ModelProvider, ProviderCall } from '../../src/models/model';
import { createAnthropicProvider } from '../../src/providers/anthropic/anthropic';
import { createGoogleProvider } from '../../src/providers/google/google';
import { createOpenAiProvider } from '../../src/providers/openai/openai';
import { during } from '../support/during';
import { event, sendEvents, sendStatus, startFakeUpstream } from '../support/fake-upstream';
import { PROTOCOLS, type Protocol } from '../support/protocols';
import { callOf, RecordingListener } from '../support/provider-calls';

/** Options of a call in the words of each protocol (their own references, as the installed SDKs type them). */

const upstream = during('each', startFakeUpstream);

type Fields = Readonly<Record<string, unknown>>;

/** Fields of a request that one without options has not. */
async function optionsOf(provider: ModelProvider, call: Partial<ProviderCall>, events: string): Promise<Fields> {
  upstream.willReply(sendEvents(events), sendEvents(events));
  const { providerModel = callOf().providerModel } = call;
  await provider.run(callOf({ providerModel }), new RecordingListener());
  await provider.run(callOf(call), new RecordingListener());
  const [plain = {}, asked = {}] = upstream.requests.map(({ body }): Fields => {
    const { generationConfig, ...fields } = JSON.parse(body);
    return { ...fields, ...generationConfig };
  });
  return Object.fromEntries(Object.entries(asked).filter(([name, value]) => !isDeepStrictEqual(value, plain[name])));
}

const SCHEMA = {
  type: 'object',
  properties: { ok: { type: 'boolean' } },
  required: ['ok'],
  additionalProperties: false,
};
const verdict = (more: object) => ({ outputSchema: { name: 'verdict', ...more } });
const jsonSchema = (strict: boolean) => ({
  response_format: { type: 'json_schema', json_schema: { name: 'verdict', schema: SCHEMA, strict } },
});
const geminiSchema = { responseMimeType: 'application/json', responseJsonSchema: SCHEMA };
const adaptive = { thinking: { type: 'adaptive' } };

const TOOL_CALL = { id: 'c1', name: 'now', arguments: '{}' };
const THOUGHT = { reasoning_content: 'Look.', reasoning_details: [{ type: 'reasoning.encrypted', data: 'x' }] };
const SPOKEN: readonly ChatTurn[] = [
  { role: 'user', name: 'Adam', text: 'Hi.' },
  { role: 'user', name: 'Sam', text: 'What time is it?' },
  { role: 'assistant', name: 'guide', text: '', toolCalls: [TOOL_CALL], reasoning: THOUGHT },
  { role: 'user', text: '', toolResults: [{ callId: 'c1', name: 'now', text: '12:00' }] },
  { role: 'assistant', text: 'Noon.', reasoning: { reasoning: 'Hm.' } },
  { role: 'user', name: 'Adam', text: 'Is it?' },
];

/** A call's options, and fields of the request that have them. */
type Row = readonly [options: Partial<ProviderCall>, fields: Fields];
const effort = (providerModel: string, reasoningEffort: ProviderCall['reasoningEffort'] & string, more = {}) => ({
  ...{ providerModel, reasoningEffort },
  ...more,
});

const ROWS: Readonly<Record<Protocol['name'], readonly Row[]>> = {
  openai: [
    [effort('gpt-5.5', 'low'), { reasoning_effort: 'low' }],
    [effort('gpt-5.5', 'none'), { reasoning_effort: 'none' }],
    [effort('gpt-5.5', 'xhigh'), { reasoning_effort: 'xhigh' }],
    [verdict({ schema: SCHEMA }), jsonSchema(true)],
    [verdict({ schema: SCHEMA, strict: false }), jsonSchema(false)],
    [verdict({}), { response_format: { type: 'json_object' } }],
    [
      { prompt: { turns: SPOKEN } },
      {
        messages: [
          { role: 'user', name: 'Adam', content: 'Hi.' },
          { role: 'user', name: 'Sam', content: 'What time is it?' },
          {
            ...{ role: 'assistant', name: 'guide', content: null, ...THOUGHT },
            tool_calls: [{ id: 'c1', type: 'function', function: { name: 'now', arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: 'c1', content: '12:00' },
          { role: 'assistant', content: 'Noon.', reasoning: 'Hm.' },
          { role: 'user', name: 'Adam', content: 'Is it?' },
        ],
      },
    ],
  ],
  anthropic: [
    [effort('claude-opus-5-5', 'high'), { output_config: { effort: 'high' }, ...adaptive }],
    [effort('claude-opus-4-6', 'low'), { output_config: { effort: 'low' }, ...adaptive }],
    [effort('claude-opus-5-5', 'max'), { output_config: { effort: 'max' }, ...adaptive }],
    [effort('claude-opus-5-5', 'minimal'), { output_config: { effort: 'low' }, ...adaptive }],
    [effort('claude-opus-5-5', 'none'), { thinking: { type: 'disabled' } }],
    // Its thinking takes a number of tokens, the effort goes without.
    [effort('claude-opus-4-5-20251101', 'medium'), { output_config: { effort: 'medium' } }],
    // Thinking is refused beside sampling settings.
    [
      effort('claude-opus-4-6', 'medium', { sampling: { temperature: 0.5 } }),
      { temperature: 0.5, output_config: { effort: 'medium' } },
    ],
    // Thinking is refused where a call is demanded.
    ...(['required', { name: 'now' }] as const).map(
      (choice): Row => [
        effort('claude-opus-5-5', 'high', {
          prompt: { ...callOf().prompt, tools: { tools: [{ name: 'now' }], json: '', choice } },
        }),
        {
          tools: [{ name: 'now', input_schema: { type: 'object' } }],
          tool_choice: choice === 'required' ? { type: 'any' } : { type: 'tool', ...choice },
          output_config: { effort: 'high' },
        },
      ],
    ),
    [verdict({ schema: SCHEMA }), { output_config: { format: { type: 'json_schema', schema: SCHEMA } } }],
    [verdict({ schema: SCHEMA, strict: false }), {}],
    [verdict({}), {}],
    [
      { prompt: { turns: SPOKEN } },
      {
        messages: [
          { role: 'user', content: 'Adam: Hi.\n\nSam: What time is it?' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'now', input: {} }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: '12:00' }] },
          { role: 'assistant', content: 'Noon.' },
          { role: 'user', content: 'Adam: Is it?' },
        ],
        tools: [{ name: 'now', input_schema: { type: 'object' } }],
        tool_choice: { type: 'none' },
      },
    ],
  ],
  google: [
    [effort('gemini-2.5-flash', 'low'), { thinkingConfig: { thinkingBudget: 1_024 } }],
    [effort('gemini-2.5-pro', 'medium'), { thinkingConfig: { thinkingBudget: 8_192 } }],
    [effort('gemini-2.5-pro', 'high'), { thinkingConfig: { thinkingBudget: 24_576 } }],
    [effort('gemini-2.5-flash', 'none'), { thinkingConfig: { thinkingBudget: 0 } }],
    [effort('gemini-3.8-flash', 'xhigh'), { thinkingConfig: { thinkingLevel: 'high' } }],
    [effort('gemini-3.8-flash', 'none'), { thinkingConfig: { thinkingLevel: 'minimal' } }],
    [effort('gemini-3-pro-preview', 'minimal'), { thinkingConfig: { thinkingLevel: 'low' } }],
    [effort('gemini-3.8-flash', 'medium'), { thinkingConfig: { thinkingLevel: 'medium' } }],
    [effort('gemini-3-pro-preview', 'medium'), { thinkingConfig: { thinkingLevel: 'high' } }],
    [effort('gemini-3-pro-preview', 'low'), { thinkingConfig: { thinkingLevel: 'low' } }],
    [verdict({ schema: SCHEMA }), geminiSchema],
    [verdict({ schema: SCHEMA, strict: false }), geminiSchema],
    [verdict({}), { responseMimeType: 'application/json' }],
    [
      { prompt: { turns: SPOKEN } },
      {
        contents: [
          { role: 'user', parts: [{ text: 'Adam: Hi.\n\nSam: What time is it?' }] },
          {
            role: 'model',
            parts: [{ functionCall: { name: 'now', args: {} }, thoughtSignature: 'skip_thought_signature_validator' }],
          },
          { role: 'user', parts: [{ functionResponse: { name: 'now', response: { result: '12:00' } } }] },
          { role: 'model', parts: [{ text: 'Noon.' }] },
          { role: 'user', parts: [{ text: 'Adam: Is it?' }] },
        ],
      },
    ],
  ],
};

describe.each(PROTOCOLS)('$name', ({ name, create, events }) => {
  it.each(ROWS[name])('%j', async (options, fields) => {
    expect(await optionsOf(create(upstream.url), options, events)).toEqual(fields);
  });
});

/** Forms that each provider itself enforces: strict schemas, others, any object. */
it.each([
  ['OpenAI', createOpenAiProvider({ apiKey: 'k' }), [true, false, true]],
  [
    'a compatible server, of which nothing is known',
    createOpenAiProvider({ apiKey: 'k', baseUrl: 'http://127.0.0.1:1/v1' }),
    [false, false, false],
  ],
  ['Anthropic', createAnthropicProvider({ apiKey: 'k' }), [true, false, false]],
  ['Google', createGoogleProvider({ apiKey: 'k' }), [true, false, true]],
])('%s says which forms it keeps its models to', (_, { holds }, expected) => {
  const forms = [{ name: 'a', schema: SCHEMA }, { name: 'a', schema: SCHEMA, strict: false }, { name: 'a' }];
  expect(forms.map((form) => holds?.(form))).toEqual(expected);
});

describe('servers of OpenAI’s protocol', () => {
  const PIECES = [{ reasoning_content: 'Lo' }, { reasoning_content: 'ok.', reasoning: 'Hm.' }, THOUGHT];
  const stream = [...PIECES, { content: 'Noon.' }].map((delta) => event({ choices: [{ delta }] })).join('');
  const message = { content: 'Noon.', ...THOUGHT };

  it.each([
    ['as a stream', sendEvents(stream + event({ choices: [{ delta: {}, finish_reason: 'stop' }] })), PIECES],
    ['whole', sendStatus(200, { choices: [{ message, finish_reason: 'stop' }] }), [THOUGHT]],
  ])('are heard think under the names they use, %s', async (_, reply, thoughts) => {
    upstream.willReply(reply);
    const listener = new RecordingListener();
    await createOpenAiProvider({ apiKey: 'k', baseUrl: upstream.url }).run(callOf(), listener);
    expect({ thoughts: listener.thoughts, texts: listener.texts }).toEqual({ thoughts, texts: ['Noon.'] });
  });
});
