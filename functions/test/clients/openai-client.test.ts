import OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import * as z from 'zod';
import { systemClock } from '../../src/lib/clock';
import { type App, type AppOptions, QUESTION, startApp } from '../support/app';
import { failing, PLAIN } from '../support/scripted-models';
import type { WireChunk } from '../support/wire';

/** The official client against the running service: what docs/clients.md says to a developer who changes only `baseURL`. */

const ANSWER = 'Botanically it is a berry.';
const PANEL = ['demo-ada', 'demo-blaise', 'demo-curie'];
const MESSAGES: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: QUESTION }];
const CHAT = { model: 'demo-ada', messages: MESSAGES };
const RESPONSE = { model: 'demo-ada', input: QUESTION };
const REQUEST_ID = expect.stringMatching(/^[0-9a-f]{32}$/);
type ResponseRequest = OpenAI.Responses.ResponseCreateParamsNonStreaming;

let app: App;
let client: OpenAI;
async function start(options: AppOptions = {}, maxRetries = 0): Promise<void> {
  app = await startApp(options);
  client = new OpenAI({ baseURL: `${app.baseUrl}/v1`, apiKey: app.key, maxRetries });
}
afterEach(() => app.close());

async function faultOf(call: PromiseLike<unknown>): Promise<unknown> {
  try {
    return await call;
  } catch (error) {
    return error;
  }
}

async function readAll(stream: AsyncIterable<unknown>): Promise<WireChunk[]> {
  const chunks: WireChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk as WireChunk);
  return chunks;
}
const textOf = (chunks: readonly WireChunk[]): string =>
  chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');

describe('models and chat completions', () => {
  beforeEach(() => start());

  it('lists models and finds one', async () => {
    const ids = (await client.models.list()).data.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([...PANEL, 'ensemble', 'ensemble-debate-tournament']));
    expect(await client.models.retrieve('demo-ada')).toMatchObject({ id: 'demo-ada', object: 'model' });
  });

  it('creates a completion, whose parts are where the types say', async () => {
    const completion = await client.chat.completions.create(CHAT);
    expect(completion).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-\d+$/),
      choices: [{ message: { role: 'assistant', content: ANSWER }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      _request_id: REQUEST_ID,
    });
  });

  it('passes ensemble options and reads the extensions', async () => {
    const ai_ensemble = { models: PANEL, includeCandidates: true };
    const body = { ...CHAT, model: 'ensemble', reasoning: { effort: 'low' as const }, ai_ensemble };
    const { choices } = await client.chat.completions.create(body as OpenAI.ChatCompletionCreateParamsNonStreaming);
    expect(choices[0]).toMatchObject({
      message: { explanation: 'Both say that it is a berry.' },
      candidates: PANEL.map((modelId) => ({ modelId })),
    });
  });

  it('streams what chat UIs ask for: options, limits, text parts, nulls, tools; one chunk has the usage', async () => {
    const text = { type: 'text' as const, text: QUESTION };
    const stream = await client.chat.completions.create({
      model: 'ensemble',
      messages: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: [text, text] },
      ],
      ...{ stream: true, stream_options: { include_usage: true }, max_tokens: 800, max_completion_tokens: 800 },
      ...{ temperature: null, stop: null, user: 'u-1', tools: [] },
    });
    const chunks = await readAll(stream);
    expect([textOf(chunks), chunks.filter(({ usage }) => usage).length]).toEqual([ANSWER, 1]);
  });

  it('.stream() reads a traced stream as any other, and has the events in their chunks', async () => {
    const asked = { ...CHAT, model: 'ensemble', ai_ensemble: { models: PANEL, includeTrace: true } };
    const stream = client.chat.completions.stream(asked as never as OpenAI.ChatCompletionCreateParamsStreaming);
    const types: string[] = [];
    stream.on('chunk', (chunk) => {
      const { trace } = chunk as unknown as { trace?: { type: string } };
      if (trace) types.push(trace.type);
    });
    const final = await stream.finalChatCompletion();
    expect(final.choices[0]?.message).toMatchObject({ role: 'assistant', content: ANSWER });
    expect([types[0], types.at(-1)]).toEqual(['run', 'end']);
    expect(types).toContain('standing');
  });
});

it.each([false, true])('runTools() loops over two tools, stream %s', async (stream) => {
  await start({
    script: ({ prompt: { turns } }) => {
      const [town, weather] = turns.flatMap(({ toolResults = [] }) => toolResults).map(({ text }) => text);
      if (weather !== undefined) return { text: `There is ${weather}.` };
      const call = town === undefined ? ['where_am_i', '{}'] : ['weather', JSON.stringify({ town })];
      return { text: '', toolCalls: [{ id: `call_${call[0]}`, name: call[0] ?? '', arguments: call[1] ?? '' }] };
    },
  });
  const tool = (name: string, run: (given: { town: string }) => string) => ({
    type: 'function' as const,
    function: { name, description: '', parameters: {}, parse: JSON.parse, function: run },
  });
  const tools = [tool('where_am_i', () => 'Bergen'), tool('weather', ({ town }) => `rain in ${town}`)];
  const runner = stream
    ? client.chat.completions.runTools({ ...CHAT, tools, stream })
    : client.chat.completions.runTools({ ...CHAT, tools, stream });
  expect(await runner.finalContent()).toBe('There is rain in Bergen.');
});

describe.each([
  { of: 'one model', request: { model: 'demo-ada' } },
  { of: 'an ensemble', request: { model: 'ensemble-expert-panel' } },
])('a form asked of $of', ({ request }) => {
  const VERDICT = { fruit: true, why: 'It has seeds.' };
  const response_format = zodResponseFormat(z.object({ fruit: z.boolean(), why: z.string() }), 'verdict');
  const body = { ...request, messages: MESSAGES, response_format };

  it('is parsed by parse() and stream()', async () => {
    const text = `Sure:\n${JSON.stringify(VERDICT)}`;
    await start({ script: (call) => (call.purpose === 'answer' ? { text } : PLAIN(call)) });
    const { choices } = await client.chat.completions.parse(body);
    const streamed = await client.chat.completions.stream(body).finalChatCompletion();
    expect([choices[0], streamed.choices[0]].map((choice) => choice?.message.parsed)).toEqual([VERDICT, VERDICT]);
  });

  it('throws where the answer cannot be parsed', async () => {
    await start({ script: (call) => (call.purpose === 'answer' ? { text: 'A berry.' } : PLAIN(call)) });
    await expect(client.chat.completions.parse(body)).rejects.toThrow();
  });
});

describe('client.responses', () => {
  beforeEach(() => start());

  it('create: parts of type text, so that output_text is empty; no status', async () => {
    const response = await client.responses.create(RESPONSE);
    expect(response).toMatchObject({
      ...{ id: expect.stringMatching(/^resp_\d+$/), object: 'response', created: app.clock.nowMs() / 1000 },
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'text', text: ANSWER }] }],
      ...{ output_text: '', usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 }, _request_id: REQUEST_ID },
    });
    expect([response.status, response.created_at]).toEqual([undefined, undefined]);
    expect((await client.responses.parse(RESPONSE)).output_parsed).toBeNull();
  });

  it('create: ensemble options go in as extra properties, and what they bring comes out at the top', async () => {
    const ai_ensemble = { includeCandidates: true, includeFollowUpPrompts: true };
    const request = { ...RESPONSE, model: 'ensemble', reasoning: { effort: 'low' }, ai_ensemble } as ResponseRequest;
    expect(await client.responses.create(request)).toMatchObject({
      explanation: 'Both say that it is a berry.',
      candidates: PANEL.map((modelId) => ({ modelId })),
      followUpPrompts: expect.arrayContaining(['Who decides?']),
    });
  });

  it('create: instructions and previous_response_id are ignored, ai_ensemble.systemPrompt is not', async () => {
    await client.responses.create({ ...RESPONSE, instructions: 'Be brief.', previous_response_id: 'resp_1' });
    await client.responses.create({ ...RESPONSE, ai_ensemble: { systemPrompt: 'Be kind.' } } as ResponseRequest);
    expect(app.models.calls.map(({ prompt }) => prompt)).toMatchObject([
      { turns: [{ role: 'user', text: QUESTION }] },
      { system: 'Be kind.' },
    ]);
  });

  it('create with stream: the events are chat completion chunks; .stream() throws on the first', async () => {
    const chunks = await readAll(await client.responses.create({ ...RESPONSE, stream: true }));
    expect(new Set(chunks.map(({ object }) => object))).toEqual(new Set(['chat.completion.chunk']));
    expect(textOf(chunks)).toBe(ANSWER);
    const error = await faultOf(client.responses.stream(RESPONSE).finalResponse());
    expect(error).toMatchObject({ message: 'Unhandled response stream event: unknown' });
  });
});

describe('errors', () => {
  beforeEach(() => start());
  const image = { type: 'image_url' as const, image_url: { url: 'https://example.test/a.png' } };
  const chat = (messages: OpenAI.ChatCompletionMessageParam[]) => client.chat.completions.create({ ...CHAT, messages });
  const chatAs = (apiKey: string) => client.withOptions({ apiKey }).chat.completions.create(CHAT);
  const listed = [{ role: 'user' as const, content: QUESTION }];
  const ask = (fields: object) => client.responses.create({ ...RESPONSE, ...fields } as ResponseRequest);

  const rows: Record<string, [new (...given: never[]) => Error, string, () => PromiseLike<unknown>]> = {
    'no messages': [OpenAI.BadRequestError, 'Invalid messages array', () => chat([])],
    'an address': [OpenAI.BadRequestError, 'must be a data URI', () => chat([{ role: 'user', content: [image] }])],
    'a list of input': [OpenAI.BadRequestError, 'Invalid input string: a list', () => ask({ input: listed })],
    embeddings: [
      OpenAI.NotFoundError,
      'makes no embeddings',
      () => client.embeddings.create({ model: 'm', input: 'x' }),
    ],
    'what is not stored': [OpenAI.NotFoundError, 'Unknown route', () => client.responses.retrieve('resp_1')],
    'a wrong key': [OpenAI.AuthenticationError, 'Unauthorized: Invalid API key', () => chatAs('sk-ens_nope')],
    'no plan': [OpenAI.PermissionDeniedError, 'active Pro subscription', async () => chatAs(await app.user('bob'))],
  };
  it.each(Object.entries(rows))('have the class of their status: %s', async (_, [kind, message, call]) => {
    const error = await faultOf(call());
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject({ message: expect.stringContaining(message), requestID: REQUEST_ID });
  });

  it('of a stream that breaks are APIErrors with the cause', async () => {
    app.models.play(() => failing('unauthorized', 'Half an '));
    const error = await faultOf(client.responses.create({ ...RESPONSE, stream: true }).then(readAll));
    expect(error).toBeInstanceOf(OpenAI.APIError);
    expect(error).toMatchObject({ error: 'The answer was cut off: demo-ada (unauthorized)' });
  });

  it('are a RateLimitError with Retry-After on the 31st request of a minute', async () => {
    for (let request = 1; request <= 30; request += 1) await client.chat.completions.create(CHAT);
    const error = await faultOf(client.chat.completions.create(CHAT));
    expect(error).toBeInstanceOf(OpenAI.RateLimitError);
    expect((error as InstanceType<typeof OpenAI.RateLimitError>).headers?.get('retry-after')).toBe('60');
  });
});

it('a run that failed after paid calls is not repeated: one request for one error', async () => {
  await start({ clock: systemClock, script: () => ({ text: '   ' }) }, 2);
  const error = await faultOf(client.chat.completions.create(CHAT));
  expect(error).toBeInstanceOf(OpenAI.InternalServerError);
  expect((error as Error).message).toContain('The model failed: demo-ada (empty)');
  // Our own one retry, and none of the client's two.
  expect(app.models.calls).toHaveLength(2);
});
