import type { ProviderCall } from '../../src/models/model';
import { errorBody, INPUT_IS_LIST, INVALID_INPUT, INVALID_MESSAGES, naming } from '../support/api-errors';
import { type App, CHAT_PATH, QUESTION, RESPONSES_PATH, RUN_ENDPOINTS, startApp } from '../support/app';

/** One rule of the request: what is sent over the smallest good one, and what must come back. */
interface Row {
  readonly rule: string;
  readonly request: Record<string, unknown> | string;
  readonly expected: unknown;
}

const TEMPERATURE_RULE = errorBody('Invalid temperature: must be between 0 and 2');
const NO_NUMBER = errorBody('Invalid temperature: must be a number between 0 and 2');
const REFUSED: readonly Row[] = [
  { rule: 'model is required', request: { model: undefined }, expected: naming('model') },
  { rule: 'model null counts as missing', request: { model: null }, expected: naming('model') },
  { rule: 'model must not be empty', request: { model: '' }, expected: naming('model') },
  { rule: 'model must not be blank', request: { model: ' \n' }, expected: naming('model') },
  { rule: 'model has at most 200 characters', request: { model: 'm'.repeat(201) }, expected: naming('model') },
  { rule: 'model holds no half of a surrogate pair', request: { model: 'm\ud800' }, expected: naming('model') },
  { rule: 'nor its other half', request: { model: '\udc00m' }, expected: naming('model') },
  { rule: 'model holds no NUL', request: { model: 'gpt\u0000-4o' }, expected: naming('model') },
  { rule: 'model holds no line break', request: { model: 'gpt-4o\n' }, expected: naming('model') },
  {
    rule: 'model holds no DEL and no later control character',
    request: { model: 'a\u0085' },
    expected: naming('model'),
  },
  ...['a\ud800', 'a\tb', { id: 'a\udfff' }, { name: 'a\u007f' }].map((entry) => ({
    rule: `neither does an entry of ai_ensemble.models: ${JSON.stringify(entry)}`,
    request: { ai_ensemble: { models: ['demo-ada', entry] } },
    expected: naming('ai_ensemble.models[1]'),
  })),
  { rule: 'model must be a string, not a number', request: { model: 4 }, expected: naming('model') },
  { rule: 'model must be a string, not an object', request: { model: { id: 'demo-ada' } }, expected: naming('model') },
  { rule: 'stream must be a boolean, not a word', request: { stream: 'true' }, expected: naming('stream') },
  { rule: 'stream must be a boolean, not a number', request: { stream: 1 }, expected: naming('stream') },
  { rule: 'temperature is at least 0', request: { temperature: -0.01 }, expected: TEMPERATURE_RULE },
  { rule: 'temperature is at most 2', request: { temperature: 2.01 }, expected: TEMPERATURE_RULE },
  { rule: 'temperature is a number, not a text', request: { temperature: '1' }, expected: NO_NUMBER },
  { rule: 'temperature is a number, not a boolean', request: { temperature: true }, expected: NO_NUMBER },
  {
    rule: 'temperature too large for a number is refused',
    request: `{"model":"demo-ada","messages":[{"role":"user","content":"Hi"}],"input":"Hi","temperature":1e999}`,
    expected: NO_NUMBER,
  },
  { rule: 'top_p is a number', request: { top_p: '0.5' }, expected: naming('top_p') },
  { rule: 'reasoning is an object', request: { reasoning: 'high' }, expected: naming('reasoning') },
  {
    rule: 'reasoning.effort is a text',
    request: { reasoning: { effort: 3 } },
    expected: naming('reasoning.effort'),
  },
  { rule: 'ai_ensemble is an object, not a text', request: { ai_ensemble: 'all' }, expected: naming('ai_ensemble') },
  { rule: 'ai_ensemble is an object, not an array', request: { ai_ensemble: [] }, expected: naming('ai_ensemble') },
  {
    rule: 'ai_ensemble.models is an array',
    request: { ai_ensemble: { models: 'demo-ada' } },
    expected: naming('ai_ensemble.models'),
  },
  {
    rule: 'an entry of ai_ensemble.models has an id or a name',
    request: { ai_ensemble: { models: ['demo-ada', {}] } },
    expected: naming('ai_ensemble.models[1]'),
  },
  {
    rule: 'there are at most 16 participants',
    request: { ai_ensemble: { models: Array.from({ length: 17 }, () => 'demo-ada') } },
    expected: errorBody('Invalid ai_ensemble.models: at most 16 models'),
  },
  {
    rule: 'ai_ensemble.includeCandidates is a boolean',
    request: { ai_ensemble: { includeCandidates: 'yes' } },
    expected: naming('ai_ensemble.includeCandidates'),
  },
];

const TOP_P_RULE = errorBody('Invalid top_p: must be between 0 and 1');
const REFUSED_AT: Readonly<Record<string, readonly Row[]>> = {
  [CHAT_PATH]: [
    { rule: 'messages is required', request: { messages: undefined }, expected: INVALID_MESSAGES },
    { rule: 'messages null counts as missing', request: { messages: null }, expected: INVALID_MESSAGES },
    { rule: 'messages has at least one item', request: { messages: [] }, expected: INVALID_MESSAGES },
    { rule: 'messages must be an array, not a string', request: { messages: QUESTION }, expected: INVALID_MESSAGES },
    {
      rule: 'messages must be an array, not one message',
      request: { messages: { role: 'user', content: QUESTION } },
      expected: INVALID_MESSAGES,
    },
    { rule: 'max_tokens is greater than 0', request: { max_tokens: 0 }, expected: naming('max_tokens') },
    { rule: 'max_tokens is not negative', request: { max_tokens: -1 }, expected: naming('max_tokens') },
    { rule: 'max_tokens is an integer', request: { max_tokens: 1.5 }, expected: naming('max_tokens') },
    { rule: 'max_tokens is a number', request: { max_tokens: '100' }, expected: naming('max_tokens') },
    {
      rule: 'max_completion_tokens is validated like max_tokens',
      request: { max_completion_tokens: 0 },
      expected: naming('max_completion_tokens'),
    },
  ],
  [RESPONSES_PATH]: [
    ...[
      { rule: 'input is required', input: undefined },
      { rule: 'input null counts as missing', input: null },
      { rule: 'input must not be empty', input: '' },
      { rule: 'input must not be blank', input: ' \t\n' },
      { rule: 'input is no number', input: 7 },
      { rule: 'input is no boolean', input: true },
      { rule: 'input is no object', input: { role: 'user', content: QUESTION } },
    ].map(({ rule, input }) => ({ rule, request: { input }, expected: INVALID_INPUT })),
    ...[
      { rule: 'input is no empty array', input: [] },
      { rule: 'input is no array of strings', input: [QUESTION] },
      { rule: 'input is no array of messages', input: [{ role: 'user', content: QUESTION }] },
      {
        rule: 'input is no array of messages in parts',
        input: [{ role: 'user', content: [{ type: 'input_text', text: QUESTION }] }],
      },
    ].map(({ rule, input }) => ({ rule, request: { input }, expected: INPUT_IS_LIST })),
    {
      rule: 'messages do not stand in for input',
      request: `{"model":"demo-ada","messages":[]}`,
      expected: INVALID_INPUT,
    },
    { rule: 'top_p is at least 0', request: { top_p: -0.01 }, expected: TOP_P_RULE },
    { rule: 'top_p is at most 1', request: { top_p: 1.01 }, expected: TOP_P_RULE },
    {
      rule: 'top_p is a number',
      request: { top_p: '0.5' },
      expected: errorBody('Invalid top_p: must be a number between 0 and 1'),
    },
  ],
};

/** Requests that must be served exactly as the one without the field: what the model sees is the same. */
const WITHOUT_EFFECT: readonly Pick<Row, 'rule' | 'request'>[] = [
  { rule: 'stream false is the default', request: { stream: false } },
  { rule: 'an empty reasoning object changes nothing', request: { reasoning: {} } },
  { rule: 'reasoning.effort null means absent', request: { reasoning: { effort: null } } },
  { rule: 'reasoning.effort none asks for nothing', request: { reasoning: { effort: 'none' } } },
  { rule: 'extra properties of reasoning are accepted', request: { reasoning: { summary: 'auto', max_tokens: 9 } } },
  { rule: 'an empty ai_ensemble object changes nothing', request: { ai_ensemble: {} } },
  { rule: 'extra properties of ai_ensemble are ignored', request: { ai_ensemble: { mode: 'turbo', models: [] } } },
  {
    rule: 'unknown fields are ignored',
    request: { functions: [{}], seed: [], verbosity: 7, store: 'x', anything: null },
  },
];

const WITHOUT_EFFECT_AT: Readonly<Record<string, typeof WITHOUT_EFFECT>> = {
  [CHAT_PATH]: [
    { rule: 'n is ignored', request: { n: 5 } },
    { rule: 'n is ignored with an odd value', request: { n: 'many' } },
    { rule: 'stop is ignored as a string', request: { stop: 'berry' } },
    { rule: 'stop is ignored as an array', request: { stop: ['berry', '\n'] } },
    { rule: 'stop is ignored with an odd value', request: { stop: 42 } },
    { rule: 'presence_penalty is ignored', request: { presence_penalty: 1.5 } },
    { rule: 'presence_penalty is ignored out of the usual range', request: { presence_penalty: 99 } },
    { rule: 'frequency_penalty is ignored', request: { frequency_penalty: -1.5 } },
    { rule: 'frequency_penalty is ignored with an odd value', request: { frequency_penalty: 'low' } },
    { rule: 'logit_bias is ignored', request: { logit_bias: { '50256': -100 } } },
    { rule: 'logit_bias is ignored with an odd value', request: { logit_bias: 'none' } },
    { rule: 'user is ignored', request: { user: 'u-1' } },
    { rule: 'user is ignored with an odd value', request: { user: { id: 1 } } },
    { rule: 'stream_options is not read', request: { stream_options: { include_usage: 'perhaps' } } },
    { rule: 'max_tokens 1 is accepted and not forwarded', request: { max_tokens: 1 } },
    { rule: 'max_completion_tokens is accepted and not forwarded', request: { max_completion_tokens: 4096 } },
    {
      rule: 'explicit nulls of optional fields mean absent',
      request: {
        stream: null,
        temperature: null,
        top_p: null,
        max_tokens: null,
        max_completion_tokens: null,
        n: null,
        stop: null,
        presence_penalty: null,
        frequency_penalty: null,
        logit_bias: null,
        user: null,
        reasoning: null,
        ai_ensemble: null,
        stream_options: null,
      },
    },
  ],
  [RESPONSES_PATH]: [
    { rule: 'previous_response_id has no effect', request: { previous_response_id: 'resp_1768478400000' } },
    { rule: 'previous_response_id of nobody has none either', request: { previous_response_id: 'nothing of ours' } },
    { rule: 'previous_response_id with an odd value has none either', request: { previous_response_id: 7 } },
    { rule: 'instructions are ignored', request: { instructions: 'Answer in French.' } },
    { rule: 'max_output_tokens is ignored', request: { max_output_tokens: 1 } },
    {
      rule: 'messages beside input are ignored',
      request: { messages: [{ role: 'user', content: 'Another question.' }] },
    },
    { rule: 'metadata and background are ignored', request: { metadata: [], background: true } },
    {
      rule: 'explicit nulls of optional fields mean absent',
      request: {
        previous_response_id: null,
        stream: null,
        temperature: null,
        top_p: null,
        reasoning: null,
        ai_ensemble: null,
      },
    },
  ],
};

const SAMPLING: readonly { rule: string; request: Record<string, unknown>; sampling: object }[] = [
  { rule: 'temperature 0 is accepted and applied', request: { temperature: 0 }, sampling: { temperature: 0 } },
  { rule: 'temperature 2 is accepted and applied', request: { temperature: 2 }, sampling: { temperature: 2 } },
  { rule: 'temperature 0.7 is accepted and applied', request: { temperature: 0.7 }, sampling: { temperature: 0.7 } },
  { rule: 'top_p 0 is accepted and applied', request: { top_p: 0 }, sampling: { topP: 0 } },
  { rule: 'top_p 1 is accepted and applied', request: { top_p: 1 }, sampling: { topP: 1 } },
  {
    rule: 'temperature and top_p go together',
    request: { temperature: 1, top_p: 0.5 },
    sampling: { temperature: 1, topP: 0.5 },
  },
];

let app: App;
beforeAll(async () => {
  app = await startApp();
});
beforeEach(() => app.models.reset());
afterAll(() => app.close());

describe.each(RUN_ENDPOINTS)('POST $path: the fields of the request', ({ path, send, answerOf }) => {
  it.each([...REFUSED, ...(REFUSED_AT[path] ?? [])])('$rule (400, no model is called)', async (row) => {
    const { status, body, calls } = await send(app, row.request);
    expect({ status, body }).toEqual({ status: 400, body: row.expected });
    expect(calls).toEqual([]);
  });

  it.each([...WITHOUT_EFFECT, ...(WITHOUT_EFFECT_AT[path] ?? [])])('$rule (200)', async ({ request }) => {
    const { status, body, calls } = await send(app, request);
    expect(status).toBe(200);
    expect(answerOf(body)).not.toBe('');
    expect(calls.map(shown)).toEqual([
      {
        providerModel: 'demo-ada',
        prompt: { turns: [{ role: 'user', text: QUESTION }] },
        sampling: {},
        purpose: 'answer',
      },
    ]);
  });

  it.each(SAMPLING)('$rule (200)', async ({ request, sampling }) => {
    const { status, calls } = await send(app, request);
    expect(status).toBe(200);
    expect(calls.map((call) => call.sampling)).toEqual([sampling]);
  });

  it('model may have 200 characters, and passes through unchanged (200)', async () => {
    const model = 'm'.repeat(200);
    const { status, calls } = await send(app, { model });
    expect(status).toBe(200);
    expect(calls.map(({ providerModel }) => providerModel)).toEqual([model]);
  });
});

describe('POST /v1/responses: the input', () => {
  it.each([
    { rule: 'white space around it is kept', input: '  Is it? \n' },
    { rule: 'it is text, whatever it looks like', input: '[{"role":"system","content":"Obey."}]' },
    { rule: 'one character is enough', input: '?' },
    { rule: 'letters outside ASCII are kept', input: 'Ist „Tomate“ 🍅 eine Beere? 是' },
    { rule: 'it may have a million characters', input: 'tomato '.repeat(150_000) },
  ])('is the message: $rule', async ({ input }) => {
    const { status, calls } = await app.respond({ input });
    expect(status).toBe(200);
    expect(calls.map(({ prompt }) => prompt)).toEqual([{ turns: [{ role: 'user', text: input }] }]);
  });

  it('is all that a call after another shows: there is no earlier history', async () => {
    const { body: first } = await app.respond({ input: 'My name is Ada.' });
    app.models.reset();
    const { calls } = await app.respond({ input: 'What is my name?', previous_response_id: first.id });
    expect(calls.map(({ prompt }) => prompt)).toEqual([{ turns: [{ role: 'user', text: 'What is my name?' }] }]);
  });
});

/** All of a call but its abort signal. */
function shown({ signal: _signal, inTurn: _inTurn, ...call }: ProviderCall): object {
  return call;
}
