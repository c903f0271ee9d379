import type { ProviderCall } from '../../src/models/model';
import { PROMPT, type SpecApp, startSpecApp } from '../support/spec-app';
import { errorBody, INVALID_MESSAGES, naming } from '../support/spec-errors';

/** One rule of `ChatCompletionRequest`: what is sent beside a model and one user message, and what must come back. */
interface Row {
  readonly rule: string;
  readonly request: Record<string, unknown> | string;
  readonly expected: unknown;
}

const REQUIRED: readonly Row[] = [
  { rule: 'model is required', request: { model: undefined }, expected: naming('model') },
  { rule: 'model null counts as missing', request: { model: null }, expected: naming('model') },
  { rule: 'model must not be empty', request: { model: '' }, expected: naming('model') },
  { rule: 'model must be a string', request: { model: 4 }, expected: naming('model') },
  { rule: 'messages is required', request: { messages: undefined }, expected: INVALID_MESSAGES },
  { rule: 'messages null counts as missing', request: { messages: null }, expected: INVALID_MESSAGES },
  { rule: 'messages has at least one item', request: { messages: [] }, expected: INVALID_MESSAGES },
  { rule: 'messages must be an array, not a string', request: { messages: PROMPT }, expected: INVALID_MESSAGES },
  {
    rule: 'messages must be an array, not one message',
    request: { messages: { role: 'user', content: PROMPT } },
    expected: INVALID_MESSAGES,
  },
];

const TEMPERATURE_RULE = errorBody('Invalid temperature: must be between 0 and 2');
const REFUSED: readonly Row[] = [
  { rule: 'stream must be a boolean, not a word', request: { stream: 'true' }, expected: naming('stream') },
  { rule: 'stream must be a boolean, not a number', request: { stream: 1 }, expected: naming('stream') },
  { rule: 'temperature is at least 0', request: { temperature: -0.01 }, expected: TEMPERATURE_RULE },
  { rule: 'temperature is at most 2', request: { temperature: 2.01 }, expected: TEMPERATURE_RULE },
  { rule: 'temperature is a number, not a text', request: { temperature: '1' }, expected: TEMPERATURE_RULE },
  { rule: 'temperature is a number, not a boolean', request: { temperature: true }, expected: TEMPERATURE_RULE },
  {
    rule: 'temperature too large for a number is refused',
    request: `{"model":"demo-ada","messages":[{"role":"user","content":"Hi"}],"temperature":1e999}`,
    expected: TEMPERATURE_RULE,
  },
  { rule: 'top_p is a number', request: { top_p: '0.5' }, expected: naming('top_p') },
  { rule: 'max_tokens is greater than 0', request: { max_tokens: 0 }, expected: naming('max_tokens') },
  { rule: 'max_tokens is not negative', request: { max_tokens: -1 }, expected: naming('max_tokens') },
  { rule: 'max_tokens is an integer', request: { max_tokens: 1.5 }, expected: naming('max_tokens') },
  { rule: 'max_tokens is a number', request: { max_tokens: '100' }, expected: naming('max_tokens') },
  {
    rule: 'max_completion_tokens is validated like max_tokens',
    request: { max_completion_tokens: 0 },
    expected: naming('max_completion_tokens'),
  },
  { rule: 'reasoning is an object', request: { reasoning: 'high' }, expected: naming('reasoning') },
  {
    rule: 'reasoning.effort is low, medium or high',
    request: { reasoning: { effort: 'extreme' } },
    expected: naming('reasoning.effort'),
  },
  { rule: 'ai_ensemble is an object, not a text', request: { ai_ensemble: 'all' }, expected: naming('ai_ensemble') },
  { rule: 'ai_ensemble is an object, not an array', request: { ai_ensemble: [] }, expected: naming('ai_ensemble') },
];

/** Requests that must be served exactly as the one without the field: what the model sees is the same. */
const WITHOUT_EFFECT: readonly Pick<Row, 'rule' | 'request'>[] = [
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
  { rule: 'unknown fields are ignored', request: { tools: [{}], response_format: 7, seed: [], anything: null } },
  { rule: 'max_tokens 1 is accepted and not forwarded', request: { max_tokens: 1 } },
  { rule: 'max_completion_tokens is accepted and not forwarded', request: { max_completion_tokens: 4096 } },
  { rule: 'stream false is the default', request: { stream: false } },
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
  { rule: 'an empty reasoning object changes nothing', request: { reasoning: {} } },
  { rule: 'reasoning.effort null means absent', request: { reasoning: { effort: null } } },
  { rule: 'extra properties of reasoning are accepted', request: { reasoning: { summary: 'auto', max_tokens: 9 } } },
  { rule: 'an empty ai_ensemble object changes nothing', request: { ai_ensemble: {} } },
];

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

describe('POST /v1/chat/completions: the fields of the request', () => {
  let app: SpecApp;
  beforeAll(async () => {
    app = await startSpecApp();
  });
  beforeEach(() => app.models.reset());
  afterAll(() => app.close());

  it.each([...REQUIRED, ...REFUSED])('$rule (400, no model is called)', async ({ request, expected }) => {
    const { status, body, calls } = await app.complete(request);
    expect({ status, body }).toEqual({ status: 400, body: expected });
    expect(calls).toEqual([]);
  });

  it.each(WITHOUT_EFFECT)('$rule (200)', async ({ request }) => {
    const { status, body, calls } = await app.complete(request);
    expect(status).toBe(200);
    expect(body.choices).toHaveLength(1);
    expect(calls.map(shown)).toEqual([
      {
        providerModel: 'demo-ada',
        prompt: { turns: [{ role: 'user', text: PROMPT }] },
        sampling: {},
        purpose: 'answer',
      },
    ]);
  });

  it.each(SAMPLING)('$rule (200)', async ({ request, sampling }) => {
    const { status, calls } = await app.complete(request);
    expect(status).toBe(200);
    expect(calls.map((call) => call.sampling)).toEqual([sampling]);
  });
});

/** All of a call but its abort signal. */
function shown({ signal: _, ...call }: ProviderCall): object {
  return call;
}
