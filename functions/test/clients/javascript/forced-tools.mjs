// Results of JavaScript libraries with tools that have to be called, by an ensemble, as JSON. Started by
// forced-tools.test.ts: BASE_URL and API_KEY say where to ask. Each asks as it does by itself.
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { concat } from '@langchain/core/utils/stream';
import { ChatOpenAI } from '@langchain/openai';
import { generateObject, generateText, streamText, tool } from 'ai';
import * as z from 'zod';

const { BASE_URL: baseURL, API_KEY: apiKey } = process.env;
const QUESTION = 'Is a tomato a fruit?';
const Verdict = z.object({ fruit: z.boolean(), why: z.string() });

const openai = createOpenAI({ baseURL, apiKey });
const compatible = createOpenAICompatible({ name: 'ensemble', baseURL, apiKey, supportsStructuredOutputs: true });
const chain = new ChatOpenAI({ model: 'ensemble', apiKey, maxRetries: 0, configuration: { baseURL } });
const required = (model) => ({
  model,
  prompt: QUESTION,
  maxRetries: 0,
  tools: { verdict: tool({ description: 'Records what a tomato is.', inputSchema: Verdict }) },
  toolChoice: 'required',
});
const named = (model) => ({ ...required(model), toolChoice: { type: 'tool', toolName: 'verdict' } });
const inputOf = ([call]) => call.input;
const description = { name: 'verdict', description: 'Records what a tomato is.', parameters: z.toJSONSchema(Verdict) };
const any = chain.bindTools([{ type: 'function', function: description }], { tool_choice: 'any' });
const structured = chain.withStructuredOutput(Verdict, { method: 'functionCalling' });
const argumentsOf = ({ tool_calls: [call] }) => call.args;
/** The pieces of a stream added up, or the last of them where each holds those before it. */
const whole = async (stream, add = (_, piece) => piece) => {
  let sum;
  for await (const piece of stream) sum = sum === undefined ? piece : add(sum, piece);
  return sum;
};

const FORCED = {
  ai_sdk_openai_required: async () => inputOf((await generateText(required(openai.chat('ensemble')))).toolCalls),
  ai_sdk_openai_required_streamed: async () => inputOf(await streamText(required(openai.chat('ensemble'))).toolCalls),
  ai_sdk_compatible_required: async () => inputOf((await generateText(required(compatible('ensemble')))).toolCalls),
  ai_sdk_compatible_named_streamed: async () => inputOf(await streamText(named(compatible('ensemble'))).toolCalls),
  ai_sdk_object: async () =>
    (await generateObject({ model: compatible('ensemble'), prompt: QUESTION, maxRetries: 0, schema: Verdict })).object,
  langchain_any: async () => argumentsOf(await any.invoke(QUESTION)),
  langchain_any_streamed: async () => argumentsOf(await whole(await any.stream(QUESTION), concat)),
  langchain_function_calling: () => structured.invoke(QUESTION),
  langchain_function_calling_streamed: async () => await whole(await structured.stream(QUESTION)),
};

const outcomes = {};
for (const [library, run] of Object.entries(FORCED))
  outcomes[library] = await run().catch((error) => `refused: ${error.message}`);
console.log(JSON.stringify(outcomes));
