import OpenAI from 'openai';
import { ContentFilterFinishReasonError, LengthFinishReasonError } from 'openai/error';
import { zodResponseFormat } from 'openai/helpers/zod';
import * as z from 'zod';
import { type App, QUESTION, startApp } from '../support/app';
import { failing, type Script } from '../support/scripted-models';

/** The official client at `/openai/v1`, as programs are written that never met another server than OpenAI's. */

const ANSWER = 'Botanically it is a berry.';
const CHAT = { model: 'demo-ada', messages: [{ role: 'user' as const, content: QUESTION }] };

let app: App;
let client: OpenAI;
async function start(script?: Script): Promise<void> {
  app = await startApp(script ? { script } : {});
  client = new OpenAI({ baseURL: `${app.baseUrl}/openai/v1`, apiKey: app.key, maxRetries: 0 });
}
afterEach(() => app.close());

it('a loop over choices[0] meets no chunk without one', async () => {
  await start();
  let text = '';
  for await (const { choices } of await client.chat.completions.create({ ...CHAT, model: 'ensemble', stream: true }))
    text += (choices[0] as (typeof choices)[number]).delta.content ?? '';
  expect(text).toBe(ANSWER);
});

it('stream() assembles a message with the usage that was asked for', async () => {
  await start();
  const asked = client.chat.completions.stream({ ...CHAT, stream_options: { include_usage: true } });
  const { choices, usage } = await asked.finalChatCompletion();
  expect(choices[0]).toMatchObject({ message: { content: ANSWER, refusal: null }, finish_reason: 'stop' });
  expect(usage).toMatchObject({ total_tokens: 2, completion_tokens_details: { reasoning_tokens: 0 } });
});

it('parse() and stream() throw LengthFinishReasonError and ContentFilterFinishReasonError', async () => {
  const response_format = zodResponseFormat(z.object({ fruit: z.boolean() }), 'verdict');
  const errors = { length: LengthFinishReasonError, content_filter: ContentFilterFinishReasonError };
  for (const finishReason of ['length', 'content_filter'] as const) {
    await start(() => ({ text: '{"fruit":', finishReason }));
    const kind = errors[finishReason];
    await expect(client.chat.completions.parse({ ...CHAT, response_format })).rejects.toThrow(kind);
    const streamed = client.chat.completions.stream({ ...CHAT, response_format });
    await expect(streamed.finalChatCompletion()).rejects.toThrow(kind);
    await app.close();
  }
});

it('a stream that breaks is an APIError with the cause, its type and its code', async () => {
  await start(() => failing('unauthorized', 'Half an '));
  const read = async () => {
    for await (const _ of await client.chat.completions.create({ ...CHAT, stream: true }));
  };
  const error = await read().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(OpenAI.APIError);
  expect(error).toMatchObject({
    message: 'The answer was cut off: demo-ada (unauthorized)',
    type: 'api_error',
    code: 'server_error',
  });
});

it('refusals have the class, the type and the code of OpenAI’s', async () => {
  await start();
  const wrong = new OpenAI({ baseURL: `${app.baseUrl}/openai/v1`, apiKey: 'sk-ens_nope', maxRetries: 0 });
  const refused = await wrong.chat.completions.create(CHAT).catch((thrown: unknown) => thrown);
  expect(refused).toBeInstanceOf(OpenAI.AuthenticationError);
  expect(refused).toMatchObject({ code: 'invalid_api_key', param: null });
  await expect(client.chat.completions.create({ ...CHAT, messages: [] })).rejects.toThrow(OpenAI.BadRequestError);
  await expect(client.models.retrieve('none')).rejects.toThrow(OpenAI.NotFoundError);
});
