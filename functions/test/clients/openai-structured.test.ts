import OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import * as z from 'zod';
import { type App, QUESTION, startApp } from '../support/app';
import { PLAIN } from '../support/scripted-models';

/** `parse()` and its streaming sister of the official client, as docs/clients.md says. */

const VERDICT = { fruit: true, why: 'It has seeds.' };
const Verdict = z.object({ fruit: z.boolean(), why: z.string() });
const PANEL = { strategy: 'debate_tournament', models: ['demo-blaise', 'demo-curie'], includeCandidates: true };

describe.each([
  { of: 'one model', request: { model: 'demo-ada' } },
  { of: 'an ensemble', request: { model: 'demo-ada', ai_ensemble: PANEL } },
  { of: 'a virtual model', request: { model: 'ensemble-expert-panel' } },
])('the official openai client asks $of for a form', ({ request }) => {
  let app: App;
  let client: OpenAI;
  const body = {
    ...request,
    messages: [{ role: 'user' as const, content: QUESTION }],
    response_format: zodResponseFormat(Verdict, 'verdict'),
  };
  beforeEach(async () => {
    app = await startApp({
      script: (call) => (call.purpose === 'answer' ? { text: `Sure:\n${JSON.stringify(VERDICT)}` } : PLAIN(call)),
    });
    client = new OpenAI({ baseURL: `${app.baseUrl}/v1`, apiKey: app.key, maxRetries: 0 });
  });
  afterEach(() => app.close());

  it('parse() gives the object', async () => {
    const { choices } = await client.chat.completions.parse(body);
    expect(choices[0]?.message.parsed).toEqual(VERDICT);
    const answers = app.models.calls.filter(({ purpose }) => purpose === 'answer');
    expect(answers.map(({ outputSchema }) => [outputSchema?.name, outputSchema?.strict])).toEqual([['verdict', true]]);
  });

  it('so does stream()', async () => {
    const completion = await client.chat.completions.stream(body).finalChatCompletion();
    expect(completion.choices[0]?.message.parsed).toEqual(VERDICT);
  });

  it('an answer that cannot be parsed throws, and nothing is made up', async () => {
    app.models.play((call) => (call.purpose === 'answer' ? { text: 'A berry.' } : PLAIN(call)));
    await expect(client.chat.completions.parse(body)).rejects.toThrow();
  });
});
