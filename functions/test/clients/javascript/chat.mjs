// What JavaScript libraries make of an ensemble's answer: one line of JSON for each. Started by chat-libraries.test.ts:
// BASE_URL and API_KEY say where to ask.
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ChatOpenAI } from '@langchain/openai';
import { generateObject, generateText, Output, streamText } from 'ai';
import * as z from 'zod';

const { BASE_URL: baseURL, API_KEY: apiKey } = process.env;
const QUESTION = 'Is a tomato a fruit?';
const MODEL = 'ensemble';
const Verdict = z.object({ fruit: z.boolean(), why: z.string() });

const openai = createOpenAI({ baseURL, apiKey });
const compatible = createOpenAICompatible({ name: 'ensemble', baseURL, apiKey });
const ask = (model) => ({ model, prompt: QUESTION, maxRetries: 0 });
const langchain = () => new ChatOpenAI({ model: MODEL, apiKey, maxRetries: 0, configuration: { baseURL } });

const LIBRARIES = {
  ai_sdk_openai: async () => (await generateText(ask(openai.chat(MODEL)))).text,
  ai_sdk_openai_streamed: async () => await streamText(ask(openai.chat(MODEL))).text,
  ai_sdk_openai_object: async () => (await generateObject({ ...ask(openai.chat(MODEL)), schema: Verdict })).object,
  // What the AI SDK recommends in the place of `generateObject`.
  ai_sdk_openai_output: async () =>
    (await generateText({ ...ask(openai.chat(MODEL)), output: Output.object({ schema: Verdict }) })).output,
  ai_sdk_openai_as_it_is: async () => (await generateText(ask(openai(MODEL)))).text,
  ai_sdk_compatible: async () => (await generateText(ask(compatible(MODEL)))).text,
  ai_sdk_compatible_streamed: async () => await streamText(ask(compatible(MODEL))).text,
  langchain: async () => (await langchain().invoke(QUESTION)).content,
  langchain_streamed: async () => {
    let text = '';
    for await (const { content } of await langchain().stream(QUESTION)) text += content;
    return text;
  },
};

for (const [library, run] of Object.entries(LIBRARIES)) {
  const outcome = await run().catch((error) => `refused: ${error.message}`);
  console.log(JSON.stringify({ library, outcome }));
}
