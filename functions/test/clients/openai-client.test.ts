import OpenAI from 'openai';
import { systemClock } from '../../src/lib/clock';
import { type App, startApp } from '../support/app';
import { demoScript } from '../support/scripted-models';

/** The official client against the running service: what a developer meets who changes only `baseURL`. */

const PANEL = ['demo-ada', 'demo-blaise', 'demo-curie'];
const MESSAGES: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Is a tomato a fruit?' }];

describe('the official openai client', () => {
  let app: App;
  let client: OpenAI;

  beforeEach(async () => {
    app = await startApp({ script: demoScript });
    client = new OpenAI({ baseURL: `${app.baseUrl}/v1`, apiKey: app.key, maxRetries: 0 });
  });

  afterEach(() => app.close());

  it('lists models', async () => {
    const ids = (await client.models.list()).data.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([...PANEL, 'ensemble', 'ensemble-debate-tournament']));
  });

  it('creates a completion', async () => {
    const completion = await client.chat.completions.create({ model: 'demo-ada', messages: MESSAGES });
    expect(completion.id).toMatch(/^chatcmpl-\d+$/);
    expect(completion.choices[0]?.message.content).toContain('tomato');
    expect(completion.choices[0]?.finish_reason).toBe('stop');
    expect(completion.usage?.total_tokens).toBe(
      (completion.usage?.prompt_tokens ?? 0) + (completion.usage?.completion_tokens ?? 0),
    );
    expect(completion._request_id).toMatch(/^[0-9a-f]{32}$/);
  });

  it('passes ensemble options and reads the extensions', async () => {
    const body = {
      model: 'ensemble',
      messages: MESSAGES,
      reasoning: { effort: 'low' },
      ai_ensemble: { models: PANEL, includeCandidates: true },
    };
    const completion = await client.chat.completions.create(
      body as never as OpenAI.ChatCompletionCreateParamsNonStreaming,
    );
    const choice = completion.choices[0] as unknown as {
      message: { explanation: string };
      candidates: { modelId: string }[];
    };
    expect(choice.candidates.map(({ modelId }) => modelId)).toEqual(PANEL);
    expect(choice.message.explanation).toContain('Strongest answer: Demo');
  });

  it('iterates a stream to the same answer, with one usage chunk', async () => {
    const whole = await client.chat.completions.create({ model: 'ensemble', messages: MESSAGES });
    const stream = await client.chat.completions.create({ model: 'ensemble', messages: MESSAGES, stream: true });
    let content = '';
    const usages: OpenAI.CompletionUsage[] = [];
    for await (const chunk of stream) {
      content += chunk.choices[0]?.delta.content ?? '';
      if (chunk.usage) usages.push(chunk.usage);
    }
    expect(content).toBe(whole.choices[0]?.message.content);
    expect(usages).toHaveLength(1);
    // Prompts differ by the numbers that hold their texts apart, so only what was written is the same.
    const { prompt_tokens = 0, completion_tokens = 0 } = usages[0] ?? {};
    expect(completion_tokens).toBe(whole.usage?.completion_tokens);
    expect(usages[0]?.total_tokens).toBe(prompt_tokens + completion_tokens);
  });

  it('reads a traced stream as any other, and has the events in their chunks', async () => {
    const asked = { model: 'ensemble', messages: MESSAGES, ai_ensemble: { models: PANEL, includeTrace: true } };
    const stream = client.chat.completions.stream(asked as never as OpenAI.ChatCompletionCreateParamsStreaming);
    const types: string[] = [];
    stream.on('chunk', (chunk) => {
      const { trace } = chunk as unknown as { trace?: { type: string } };
      if (trace) types.push(trace.type);
    });
    const whole = await client.chat.completions.create({ model: 'ensemble', messages: MESSAGES });
    expect(await stream.finalContent()).toBe(whole.choices[0]?.message.content);
    expect([types[0], types.at(-1)]).toEqual(['run', 'end']);
    expect(types).toContain('standing');
  });

  it('works with the .stream() helper, which needs a role', async () => {
    const stream = client.chat.completions.stream({ model: 'demo-ada', messages: MESSAGES });
    const final = await stream.finalChatCompletion();
    expect(final.choices[0]?.message).toMatchObject({ role: 'assistant', content: expect.stringContaining('tomato') });
    expect((await stream.totalUsage()).total_tokens).toBeGreaterThan(0);
  });

  it.each([
    [
      'a wrong key is an AuthenticationError',
      OpenAI.AuthenticationError,
      401,
      'Unauthorized: Invalid API key',
      { key: 'sk-ens_nope' },
    ],
    ['no messages is a BadRequestError', OpenAI.BadRequestError, 400, 'Invalid messages array', { messages: [] }],
    [
      'an unknown path is a NotFoundError',
      OpenAI.NotFoundError,
      404,
      'Unknown route: POST /v2/chat/completions',
      { base: '/v2' },
    ],
  ] as const)('%s', async (_, kind, status, message, change) => {
    const { key, messages, base } = { key: app.key, messages: MESSAGES, base: '/v1', ...change };
    const other = new OpenAI({ baseURL: app.baseUrl + base, apiKey: key, maxRetries: 0 });
    const error = await other.chat.completions
      .create({ model: 'demo-ada', messages: [...messages] })
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject({
      status,
      type: 'invalid_request_error',
      requestID: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect((error as Error).message).toContain(message);
  });

  it('gets a PermissionDeniedError without a subscription', async () => {
    const other = new OpenAI({ baseURL: `${app.baseUrl}/v1`, apiKey: await app.user('bob'), maxRetries: 0 });
    const error = await other.chat.completions
      .create({ model: 'demo-ada', messages: MESSAGES })
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(OpenAI.PermissionDeniedError);
    expect(error).toMatchObject({ status: 403, type: 'permission_error' });
  });
});

describe('the official openai client against a service in trouble', () => {
  let app: App;

  afterEach(() => app.close());

  it('gets a RateLimitError with Retry-After on the 31st request of a minute', async () => {
    app = await startApp({ script: () => ({ text: 'yes' }) });
    const client = new OpenAI({ baseURL: `${app.baseUrl}/v1`, apiKey: app.key, maxRetries: 0 });
    const ask = () => client.chat.completions.create({ model: 'demo-ada', messages: MESSAGES });
    for (let request = 1; request <= 30; request += 1) await ask();
    const error = await ask().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(OpenAI.RateLimitError);
    expect((error as InstanceType<typeof OpenAI.RateLimitError>).headers?.get('retry-after')).toBe('60');
  });

  it('does not repeat a run that failed after paid calls: one request for one error', async () => {
    let calls = 0;
    app = await startApp({
      clock: systemClock,
      script: () => {
        calls += 1;
        return { text: '   ' };
      },
    });
    const client = new OpenAI({ baseURL: `${app.baseUrl}/v1`, apiKey: app.key });
    const error = await client.chat.completions
      .create({ model: 'demo-ada', messages: MESSAGES })
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(OpenAI.InternalServerError);
    expect((error as Error).message).toContain('The model failed: demo-ada (empty)');
    // Our own one retry, and none of the client's two.
    expect(calls).toBe(2);
  });
});
