// Results of JavaScript libraries with answers, and with answers held to a schema, as JSON. Started by libraries.test.ts:
// BASE_URL and API_KEY say where to ask.
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ChatOpenAI } from '@langchain/openai';
import { Agent, OpenAIChatCompletionsModel, run, setTracingDisabled } from '@openai/agents';
import { generateObject, generateText, Output, streamText } from 'ai';
import OpenAI from 'openai';
import * as z from 'zod';

const { BASE_URL: baseURL, API_KEY: apiKey } = process.env;
const QUESTION = 'Is a tomato a fruit?';
const PANEL = { strategy: 'debate_tournament', models: ['demo-blaise', 'demo-curie'] };
const Verdict = z.object({ fruit: z.boolean(), why: z.string() });

const openai = createOpenAI({ baseURL, apiKey });
const compatible = createOpenAICompatible({ name: 'ensemble', baseURL, apiKey, supportsStructuredOutputs: true });
const ask = (model) => ({ model, prompt: QUESTION, maxRetries: 0 });
const chain = (model, more = {}) =>
  new ChatOpenAI({ model, apiKey, maxRetries: 0, configuration: { baseURL }, ...more });

setTracingDisabled(true);
const agent = (model, more = {}) =>
  new Agent({ name: 'Panel', model: new OpenAIChatCompletionsModel(new OpenAI({ baseURL, apiKey }), model), ...more });

const CHAT = {
  ai_sdk_openai: async () => (await generateText(ask(openai.chat('ensemble')))).text,
  ai_sdk_openai_streamed: async () => await streamText(ask(openai.chat('ensemble'))).text,
  ai_sdk_openai_as_it_is: async () => (await generateText(ask(openai('ensemble')))).text,
  ai_sdk_compatible: async () => (await generateText(ask(compatible('ensemble')))).text,
  ai_sdk_compatible_streamed: async () => await streamText(ask(compatible('ensemble'))).text,
  langchain: async () => (await chain('ensemble').invoke(QUESTION)).content,
  langchain_streamed: async () => {
    let text = '';
    for await (const { content } of await chain('ensemble').stream(QUESTION)) text += content;
    return text;
  },
  agents_sdk: async () => (await run(agent('ensemble'), QUESTION)).finalOutput,
};

const STRUCTURED = {
  langchain: (options) =>
    chain('demo-ada', { modelKwargs: { ai_ensemble: options } })
      .withStructuredOutput(Verdict)
      .invoke(QUESTION),
  ai_sdk: async (options) => {
    const providerOptions = { ensemble: { ai_ensemble: options } };
    const asked = { ...ask(compatible.chatModel('demo-ada')), schema: Verdict, providerOptions };
    return (await generateObject(asked)).object;
  },
  // What the AI SDK recommends in the place of `generateObject`.
  ai_sdk_openai_output: async () =>
    (await generateText({ ...ask(openai.chat('demo-ada')), output: Output.object({ schema: Verdict }) })).output,
  agents_sdk: async (options) => {
    const modelSettings = { providerData: { ai_ensemble: options } };
    return (await run(agent('demo-ada', { outputType: Verdict, modelSettings }), QUESTION)).finalOutput;
  },
};

async function outcomesOf(libraries, ...given) {
  const outcomes = {};
  for (const [library, run] of Object.entries(libraries))
    outcomes[library] = await run(...given).catch((error) => `refused: ${error.message}`);
  return outcomes;
}

const outcomes = {
  chat: await outcomesOf(CHAT),
  'of one model': await outcomesOf(STRUCTURED, {}),
  'of an ensemble': await outcomesOf(STRUCTURED, PANEL),
};
console.log(JSON.stringify(outcomes));
