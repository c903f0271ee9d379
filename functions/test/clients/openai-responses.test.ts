import OpenAI from 'openai';
import { type App, QUESTION, startApp } from '../support/app';
import { failing } from '../support/scripted-models';
import type { WireChunk } from '../support/wire';

/** `client.responses` of the official client against `/v1/responses`: every line of docs/clients.md about it. */

const ANSWER = 'Botanically it is a berry.';
const REQUEST = { model: 'demo-ada', input: QUESTION };
type ResponseRequest = OpenAI.Responses.ResponseCreateParamsNonStreaming;

describe('client.responses of the official openai client', () => {
  let app: App;
  let client: OpenAI;
  beforeEach(async () => {
    app = await startApp();
    client = new OpenAI({ baseURL: `${app.baseUrl}/v1`, apiKey: app.key, maxRetries: 0 });
  });
  afterEach(() => app.close());

  const faultOf = (call: PromiseLike<unknown>): Promise<unknown> =>
    Promise.resolve(call).then(
      () => 'no error',
      (caught: unknown) => caught,
    );

  it('create: id, text, usage and request id are where the types say', async () => {
    const response = await client.responses.create(REQUEST);
    expect(response.id).toMatch(/^resp_\d+$/);
    expect(response.object).toBe('response');
    const [item] = response.output;
    if (item?.type !== 'message') throw new Error('the first item is no message');
    expect(item.role).toBe('assistant');
    expect(item.content[0]).toEqual({ type: 'text', text: ANSWER });
    expect(response.usage).toEqual({ input_tokens: 1, output_tokens: 1, total_tokens: 2 });
    expect(response._request_id).toMatch(/^[0-9a-f]{32}$/);
  });

  it('create: output_text is empty, since the parts are of type text; status and created_at are undefined', async () => {
    const response = await client.responses.create(REQUEST);
    expect(response.output_text).toBe('');
    expect(response.status).toBeUndefined();
    expect(response.created_at).toBeUndefined();
    expect(response).toMatchObject({ created: app.clock.nowMs() / 1000 });
  });

  it('create: ensemble options go in as extra properties, and what they bring comes out at the top', async () => {
    const ai_ensemble = { includeCandidates: true, includeFollowUpPrompts: true };
    const request = {
      model: 'ensemble',
      input: QUESTION,
      reasoning: { effort: 'low' },
      ai_ensemble,
    } as ResponseRequest;
    const response = await client.responses.create(request);
    expect(response).toMatchObject({
      explanation: 'Both say that it is a berry.',
      candidates: [{ modelId: 'demo-ada' }, { modelId: 'demo-blaise' }, { modelId: 'demo-curie' }],
      followUpPrompts: expect.arrayContaining(['Who decides?']),
    });
  });

  it('create: previous_response_id is accepted and brings no history', async () => {
    const first = await client.responses.create({ ...REQUEST, input: 'My name is Ada.' });
    app.models.reset();
    await client.responses.create({ ...REQUEST, previous_response_id: first.id });
    expect(app.models.calls.map(({ prompt }) => prompt)).toEqual([{ turns: [{ role: 'user', text: QUESTION }] }]);
  });

  it('create: instructions are ignored, ai_ensemble.systemPrompt is not', async () => {
    await client.responses.create({ ...REQUEST, instructions: 'Be brief.' });
    const instructed = { ...REQUEST, ai_ensemble: { systemPrompt: 'Be kind.' } } as ResponseRequest;
    await client.responses.create(instructed);
    expect(app.models.calls.map(({ prompt }) => prompt.system)).toEqual([undefined, 'Be kind.']);
  });

  it('create: an array of input is a BadRequestError', async () => {
    const error = await faultOf(client.responses.create({ ...REQUEST, input: [{ role: 'user', content: QUESTION }] }));
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      message: expect.stringMatching(/^400 Invalid input string: a list/),
    });
  });

  it('create with stream: the events are chat completion chunks, whatever the types say', async () => {
    const stream = await client.responses.create({ ...REQUEST, stream: true });
    const chunks: WireChunk[] = [];
    for await (const event of stream) chunks.push(event as unknown as WireChunk);
    expect(chunks.map(({ object }) => object)).toEqual(chunks.map(() => 'chat.completion.chunk'));
    expect(chunks.filter((chunk) => 'type' in chunk)).toEqual([]);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(ANSWER);
  });

  it('create with stream: a run that fails is an APIError with the cause', async () => {
    app.models.play(() => failing('unauthorized'));
    const stream = await client.responses.create({ ...REQUEST, stream: true });
    const read = async (): Promise<void> => {
      for await (const _ of stream);
    };
    const error = await faultOf(read());
    expect(error).toBeInstanceOf(OpenAI.APIError);
    expect(error).toMatchObject({ error: 'The model failed: demo-ada (unauthorized)' });
  });

  it('stream() throws on the first chunk; chat.completions.stream() is the one to use', async () => {
    const error = await faultOf(client.responses.stream(REQUEST).finalResponse());
    expect(error).toBeInstanceOf(OpenAI.OpenAIError);
    expect((error as Error).message).toBe('Unhandled response stream event: unknown');
    const messages = [{ role: 'user' as const, content: QUESTION }];
    const chat = client.chat.completions.stream({ model: 'demo-ada', messages });
    expect(await chat.finalContent()).toBe(ANSWER);
  });

  it('parse() finds no parsed output in a plain text', async () => {
    const parsed = await client.responses.parse(REQUEST);
    expect(parsed.output_parsed).toBeNull();
  });

  it.each([
    ['retrieve', (c: OpenAI) => c.responses.retrieve('resp_1')],
    ['delete', (c: OpenAI) => c.responses.delete('resp_1')],
    ['cancel', (c: OpenAI) => c.responses.cancel('resp_1')],
    ['inputItems.list', (c: OpenAI) => c.responses.inputItems.list('resp_1')],
  ] as const)('%s is a NotFoundError: nothing is stored', async (_, call) => {
    expect(await faultOf(call(client))).toBeInstanceOf(OpenAI.NotFoundError);
  });
});
