import OpenAI from 'openai';
import { type App, QUESTION, startApp } from '../support/app';
import { failing } from '../support/scripted-models';

/** What docs/clients.md says of the client's other helpers. */

const ANSWER = 'Botanically it is a berry.';
const REQUEST = { model: 'demo-ada', messages: [{ role: 'user' as const, content: QUESTION }] };

describe('helpers of the official openai client around chat', () => {
  let app: App;
  let client: OpenAI;
  beforeEach(async () => {
    app = await startApp();
    client = new OpenAI({ baseURL: `${app.baseUrl}/v1`, apiKey: app.key, maxRetries: 0 });
  });
  afterEach(() => app.close());

  it('runTools() calls no tool and ends with the text', async () => {
    const parameters = { type: 'object', properties: {} };
    const runner = client.chat.completions.runTools({
      ...REQUEST,
      tools: [
        {
          type: 'function',
          function: {
            name: 'lookUp',
            description: 'Looks something up.',
            parameters,
            function: () => {
              throw new Error('called');
            },
          },
        },
      ],
    });
    expect(await runner.finalContent()).toBe(ANSWER);
  });

  it('a stream that fails throws an APIError with the cause', async () => {
    app.models.play(() => failing('unauthorized'));
    const stream = await client.chat.completions.create({ ...REQUEST, stream: true });
    const read = async (): Promise<void> => {
      for await (const _ of stream);
    };
    const error = await read().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(OpenAI.APIError);
    expect(error).toMatchObject({ error: 'The model failed: demo-ada (unauthorized)' });
  });

  it('models.retrieve() finds a model; other resources are NotFoundErrors', async () => {
    expect(await client.models.retrieve('demo-ada')).toMatchObject({ id: 'demo-ada', object: 'model' });
    const error = await client.embeddings
      .create({ model: 'demo-ada', input: QUESTION })
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(OpenAI.NotFoundError);
  });

  it('the address of an image is a BadRequestError that says what to send', async () => {
    const image = { type: 'image_url' as const, image_url: { url: 'https://example.test/a.png' } };
    const content = [{ type: 'text' as const, text: QUESTION }, image];
    const error = await client.chat.completions
      .create({ model: 'demo-ada', messages: [{ role: 'user', content }] })
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect((error as Error).message).toContain('must be a data URI');
  });

  it('what chat UIs send beside the messages is accepted: stream options, limits, text parts, nulls, tools', async () => {
    const text = { type: 'text' as const, text: QUESTION };
    const stream = await client.chat.completions.create({
      model: 'ensemble',
      messages: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: [text, text] },
      ],
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 800,
      max_completion_tokens: 800,
      temperature: null,
      stop: null,
      user: 'u-1',
      tools: [],
    });
    let answer = '';
    for await (const { choices } of stream) answer += choices[0]?.delta.content ?? '';
    expect(answer).toBe(ANSWER);
  });
});
