import type { FinishReason } from '../../src/models/model';
import { CHAT, CHAT_PATH, sharedApp } from '../support/app';
import { failing, PLAIN, type Script } from '../support/scripted-models';
import { readStream, type WireChunk } from '../support/wire';

/** `/openai/v1/chat/completions`: what OpenAI's own server writes, and what is ours under `ensemble` alone. */

const PATH = `/openai${CHAT_PATH}`;
const NOW_MS = Date.UTC(2026, 0, 15, 12, 0);
const HEAD = { id: `chatcmpl-${NOW_MS}`, object: 'chat.completion', created: NOW_MS / 1000, model: 'demo-ada' };
const ANSWER = 'Botanically it is a berry.';
const USAGE = {
  prompt_tokens: 9,
  completion_tokens: 3,
  total_tokens: 12,
  prompt_tokens_details: { cached_tokens: 4, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: 2,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
};
const counted: Script = (call) => ({
  ...PLAIN(call),
  usage: { promptTokens: 9, completionTokens: 3, cachedPromptTokens: 4, reasoningTokens: 2 },
});
const EVERYTHING = {
  reasoning: { effort: 'high' },
  seed: 7,
  ai_ensemble: {
    models: ['demo-blaise', 'demo-curie'],
    rounds: 2,
    includeCandidates: true,
    includeFollowUpPrompts: true,
    includeTrace: true,
  },
};
const TOOLS = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }];
const CALL = { id: 'call_1', name: 'weather', arguments: '{"town":"Bergen"}' };
const CALLED = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: CALL.arguments } };

interface StrictBody {
  readonly choices: readonly [{ readonly message: object; readonly finish_reason: string }];
  readonly ensemble: Readonly<Record<string, unknown>>;
}
/** A chunk as this address has it. */
type Chunk = WireChunk & { readonly ensemble?: StrictBody['ensemble'] };

const app = sharedApp();
beforeEach(() => app.clock.advance(60_000));

const ask = (fields: object = {}) => app.send<StrictBody>(PATH, { ...CHAT, ...fields });
async function stream(fields: object = {}) {
  const { chunks, ...read } = await readStream(await app.post(PATH, { ...CHAT, ...fields, stream: true }));
  return { ...read, chunks: chunks as Chunk[] };
}
const head = () => ({ ...HEAD, id: expect.stringMatching(/^chatcmpl-\d+$/), created: expect.any(Number) });

describe('a completion in one piece', () => {
  it('has all that OpenAI’s has, and of ours only what stands under ensemble', async () => {
    app.models.play(counted);
    const { body } = await ask();
    const message = { role: 'assistant', content: ANSWER, refusal: null, annotations: [] };
    expect(body).toStrictEqual({
      ...head(),
      choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
      usage: USAGE,
      ensemble: { costUsd: expect.any(Number) },
    });
  });

  it('has calls of tools, and no content where nothing is said', async () => {
    app.models.play(() => ({ text: '', toolCalls: [CALL] }));
    const { body } = await ask({ tools: TOOLS });
    const message = { role: 'assistant', content: null, refusal: null, annotations: [], tool_calls: [CALLED] };
    expect(body.choices).toStrictEqual([{ index: 0, message, logprobs: null, finish_reason: 'tool_calls' }]);
  });

  it('tells all that was asked for of an ensemble under ensemble, its trace as well', async () => {
    const { body } = await ask(EVERYTHING);
    expect(Object.keys(body)).toEqual(['id', 'object', 'created', 'model', 'choices', 'usage', 'ensemble']);
    expect(Object.keys(body.choices[0])).toEqual(['index', 'message', 'logprobs', 'finish_reason']);
    expect(body.ensemble).toMatchObject({
      explanation: 'Both say that it is a berry.',
      candidates: [{ modelId: 'demo-blaise' }, { modelId: 'demo-curie' }],
      agreement: { share: 1 },
      followUpPrompts: expect.arrayContaining(['Who decides?']),
      ignored: ['seed'],
      costUsd: expect.any(Number),
      trace: expect.arrayContaining([expect.objectContaining({ type: 'end' })]),
    });
  });

  it('of a plan has it under ensemble', async () => {
    const { body, calls } = await ask({ model: 'ensemble', ai_ensemble: { dryRun: true } });
    expect(body.ensemble['plan']).toMatchObject({ calls: expect.any(Number) });
    expect(calls).toEqual([]);
  });
});

describe('a stream', () => {
  const OPENING = { role: 'assistant', content: '', refusal: null };
  const choice = (delta: object, finish_reason: string | null = null) => [
    { index: 0, delta, logprobs: null, finish_reason },
  ];

  it.each([undefined, null, {}, { include_usage: false }, { include_usage: null }])(
    'ends with the chunk that finishes, and has no usage, with the options %j',
    async (stream_options) => {
      app.models.play(() => ({ text: ANSWER }));
      const { chunks, done, content, raw } = await stream({ stream_options });
      expect([content, done, raw.includes('usage')]).toEqual([ANSWER, true, false]);
      const chunk = { ...head(), object: 'chat.completion.chunk' };
      expect(chunks[0]).toStrictEqual({ ...chunk, choices: choice(OPENING) });
      expect(chunks.at(-2)).toStrictEqual({ ...chunk, choices: choice({ content: 'berry.' }) });
      expect(chunks.at(-1)).toStrictEqual({
        ...chunk,
        choices: choice({}, 'stop'),
        ensemble: { costUsd: expect.any(Number) },
      });
    },
  );

  it('that is asked for usage has it behind the chunk that finishes, without choices; null in all others', async () => {
    app.models.play(counted);
    const { chunks, done } = await stream({ stream_options: { include_usage: true } });
    expect(chunks.at(-1)).toStrictEqual({ ...head(), object: 'chat.completion.chunk', choices: [], usage: USAGE });
    expect(chunks.at(-2)?.choices).toStrictEqual(choice({}, 'stop'));
    expect(new Set(chunks.slice(0, -1).map(({ usage }) => usage))).toEqual(new Set([null]));
    expect(done).toBe(true);
  });

  it('of an ensemble has one choice in each chunk, and what is ours under ensemble alone', async () => {
    const { chunks } = await stream(EVERYTHING);
    const known = ['id', 'object', 'created', 'model', 'choices'];
    for (const chunk of chunks) {
      expect(Object.keys(chunk).filter((name) => name !== 'ensemble')).toEqual(known);
      expect(chunk.choices).toEqual(choice(expect.any(Object), chunk === chunks.at(-1) ? 'stop' : null));
    }
    const told = chunks.flatMap(({ ensemble }) => (ensemble ? [ensemble] : []));
    expect(told.some(({ status }) => typeof status === 'string')).toBe(true);
    expect(told.at(-2)).toMatchObject({ trace: { type: 'end' } });
    expect(told.at(-1)).toMatchObject({ explanation: 'Both say that it is a berry.', ignored: ['seed'] });
    const { body } = await ask(EVERYTHING);
    const { trace: _, ...whole } = body.ensemble;
    expect(Object.keys(told.at(-1) ?? {})).toEqual(Object.keys(whole));
  });

  it('of calls has their ids and names in the first piece of each, and finishes with tool_calls', async () => {
    app.models.play(() => ({ text: 'I look.', thoughts: [{ reasoning_content: 'Where?' }], toolCalls: [CALL] }));
    const { chunks } = await stream({ tools: TOOLS });
    const deltas = chunks.map(({ choices }) => choices[0]?.delta);
    expect(deltas.flatMap((delta) => delta?.reasoning_content ?? [])).toEqual(['Where?']);
    expect(deltas.flatMap((delta) => delta?.tool_calls ?? [])).toStrictEqual([
      { index: 0, id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"t' } },
      { index: 0, function: { arguments: 'own":"Bergen"}' } },
    ]);
    expect(chunks.at(-1)?.choices).toStrictEqual(choice({}, 'tool_calls'));
  });

  it('has items of thoughts before the chunk that finishes, whose delta is empty', async () => {
    const item = { type: 'reasoning.encrypted', data: 'x' };
    app.models.play(() => ({ text: 'Yes.', thoughts: [{ reasoning: 'Hm.', reasoning_details: [item] }] }));
    const { chunks } = await stream({ tools: TOOLS });
    const last = chunks.slice(-2).map(({ choices }) => choices[0]?.delta);
    expect(last).toStrictEqual([{ reasoning_details: [item] }, {}]);
  });

  it('that fails ends with an error in the shape of OpenAI’s, named one behind its data, and without [DONE]', async () => {
    app.models.play(() => failing('unauthorized', 'Half an '));
    const text = await (await app.post(PATH, { ...CHAT, stream: true })).text();
    const [last = '', ...behind] = text.split('\n\n').slice(-2);
    const [data = '', ...lines] = last.split('\n');
    const message = 'The answer was cut off: demo-ada (unauthorized)';
    const error = { message, type: 'api_error', param: null, code: 'server_error' };
    expect([data, lines, behind]).toEqual([`data: ${JSON.stringify({ error })}`, ['event: error'], ['']]);
  });
});

it.each<[ended: FinishReason, finishReason: string, calls: boolean]>([
  ['stop', 'stop', false],
  ['length', 'length', false],
  ['context_window', 'length', false],
  ['content_filter', 'content_filter', false],
  ['unknown', 'stop', false],
  ['stop', 'tool_calls', true],
  ['length', 'length', true],
])('an answer that ended by %s has the finish_reason %s, with calls: %s', async (finishReason, expected, calls) => {
  app.models.play(() => ({ text: 'The answer is', finishReason, toolCalls: calls ? [CALL] : [] }));
  const { body } = await ask({ tools: TOOLS });
  const { chunks } = await stream({ tools: TOOLS });
  expect([body.choices[0].finish_reason, chunks.at(-1)?.choices[0]?.finish_reason]).toEqual([expected, expected]);
});

describe('requests and addresses', () => {
  it.each([
    [{ stream_options: 'usage' }, 'Invalid stream_options: must be an object'],
    [{ stream_options: [] }, 'Invalid stream_options: must be an object'],
    [{ stream_options: { include_usage: 'yes' } }, 'Invalid stream_options.include_usage: must be a boolean'],
    [{ messages: [] }, 'Invalid messages array'],
  ])('%j is a 400 in the shape of OpenAI’s', async (fields, message) => {
    const { status, body } = await ask(fields);
    const error = { message, type: 'invalid_request_error', param: null, code: null };
    expect([status, body]).toEqual([400, { error }]);
  });

  it('one endpoint by its name for the limits of keys, wherever it is asked', async () => {
    const key = await app.newKey('alice', 'no-chat', { endpoints: ['responses'] });
    expect((await app.send(PATH, CHAT, key)).status).toBe(403);
  });

  it('lists the models that /v1 lists', async () => {
    const [here, there] = await Promise.all(['/openai/v1/models', '/v1/models'].map((path) => app.read(path)));
    expect(here?.body).toEqual(there?.body);
    expect((await app.read('/openai/v1/models/demo-ada')).body).toMatchObject({ id: 'demo-ada', object: 'model' });
    expect((await app.read('/openai/v1/models/none')).body).toMatchObject({ error: { param: null, code: null } });
  });

  it('takes the key as x-api-key as well', async () => {
    const headers = { 'x-api-key': app.key };
    expect((await fetch(`${app.baseUrl}/openai/v1/models`, { headers })).status).toBe(200);
  });
});
