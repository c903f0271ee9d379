// What JavaScript libraries make of an answer that is held to a schema: one line of JSON for each, of one model and of an
// ensemble. Started by structured-output.test.ts: BASE_URL and API_KEY say where to ask.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ChatOpenAI } from '@langchain/openai';
import { generateObject } from 'ai';
import * as z from 'zod';

const { BASE_URL: baseURL, API_KEY: apiKey } = process.env;
const QUESTION = 'Is a tomato a fruit?';
const PANEL = { strategy: 'debate_tournament', models: ['demo-blaise', 'demo-curie'] };
const Verdict = z.object({ fruit: z.boolean(), why: z.string() });

const LIBRARIES = {
  langchain: (options) => {
    const settings = { model: 'demo-ada', apiKey, maxRetries: 0, configuration: { baseURL } };
    const model = new ChatOpenAI({ ...settings, modelKwargs: { ai_ensemble: options } });
    return model.withStructuredOutput(Verdict).invoke(QUESTION);
  },
  ai_sdk: async (options) => {
    const provider = createOpenAICompatible({ name: 'ensemble', baseURL, apiKey, supportsStructuredOutputs: true });
    const { object } = await generateObject({
      model: provider.chatModel('demo-ada'),
      schema: Verdict,
      prompt: QUESTION,
      maxRetries: 0,
      providerOptions: { ensemble: { ai_ensemble: options } },
    });
    return object;
  },
};

for (const [of, options] of [
  ['one model', {}],
  ['an ensemble', PANEL],
]) {
  for (const [library, ask] of Object.entries(LIBRARIES)) {
    const outcome = await ask(options).catch((error) => String(error));
    console.log(JSON.stringify({ of, library, outcome }));
  }
}
