// Agents as they are written with JavaScript libraries, each with the same three tools: what each ends with, as JSON.
// Started by tool-loops.test.ts: BASE_URL and API_KEY say where to ask, MODELS with which models.

import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { HumanMessage } from '@langchain/core/messages';
import { tool as langchainTool } from '@langchain/core/tools';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';
import * as agentsSdk from '@openai/agents';
import { generateText, isStepCount, streamText, tool } from 'ai';
import OpenAI from 'openai';
import * as z from 'zod';

const { BASE_URL: baseURL, API_KEY: apiKey, MODELS = '' } = process.env;
const { origin } = new URL(baseURL);
const BRIEF = 'Be brief.';
const NOTHING = z.object({});
const TOOLS = [
  { name: 'where_am_i', description: 'Names the town.', schema: NOTHING, run: () => 'Bergen' },
  { name: 'today', description: 'Names the day of the week.', schema: NOTHING, run: () => 'Monday' },
  {
    name: 'weather',
    description: 'Tells the weather of a town on a day.',
    schema: z.object({ town: z.string(), day: z.string() }),
    run: ({ town, day }) => `rain in ${town} on ${day}`,
  },
];

const schemaOf = (schema) => {
  const { $schema: _, ...parameters } = z.toJSONSchema(schema);
  return parameters;
};

const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
const openaiLoop = (model, question, stream) =>
  client.chat.completions
    .runTools({
      model,
      stream,
      messages: [
        { role: 'system', content: BRIEF },
        { role: 'user', content: question },
      ],
      tools: TOOLS.map(({ name, description, schema, run }) => ({
        type: 'function',
        function: { name, description, parameters: schemaOf(schema), function: run, parse: JSON.parse },
      })),
    })
    .finalContent();

const strictPlace = { baseURL: `${origin}/openai/v1`, apiKey };
const strictClient = new OpenAI({ ...strictPlace, maxRetries: 0 });
async function responsesLoop(model, question, replyTo) {
  const tools = TOOLS.map(({ name, description, schema }) => ({
    ...{ type: 'function', name, description, parameters: schemaOf(schema), strict: true },
  }));
  const input = [{ role: 'user', content: question }];
  for (;;) {
    const { output, output_text } = await replyTo({ model, instructions: BRIEF, input, tools, store: false });
    const calls = output.filter(({ type }) => type === 'function_call');
    if (calls.length === 0) return output_text;
    const results = calls.map(({ call_id, name, arguments: given }) => ({
      ...{ type: 'function_call_output', call_id },
      output: TOOLS.find((one) => one.name === name).run(JSON.parse(given)),
    }));
    input.push(...output, ...results);
  }
}

const anthropic = new Anthropic({ baseURL: `${origin}/anthropic`, apiKey, maxRetries: 0 });
const anthropicRunner = (model, question, stream) =>
  anthropic.beta.messages.toolRunner({
    ...{ model, stream, max_tokens: 1000, system: BRIEF, messages: [{ role: 'user', content: question }] },
    tools: TOOLS.map(({ name, description, schema, run }) =>
      betaTool({ name, description, inputSchema: schemaOf(schema), run }),
    ),
  });

const aiSdk = (model, question) => {
  const tools = TOOLS.map(({ name, description, schema, run }) => [
    name,
    tool({ description, inputSchema: schema, execute: run }),
  ]);
  const asked = { model, system: BRIEF, prompt: question, maxRetries: 0, stopWhen: isStepCount(5) };
  return { ...asked, tools: Object.fromEntries(tools) };
};
const openai = createOpenAI({ baseURL, apiKey });
const strictOpenai = createOpenAI(strictPlace);
const compatible = createOpenAICompatible({ name: 'ensemble', baseURL, apiKey });

const chain = (model) => new ChatOpenAI({ model, apiKey, maxRetries: 0, configuration: { baseURL } });
const chainTools = TOOLS.map(({ run, ...described }) => langchainTool(run, described));

async function langchain(model, question, { streamed }) {
  const bound = chain(model).bindTools(chainTools);
  const messages = [new HumanMessage(question)];
  for (;;) {
    const reply = await (streamed ? wholeOf(await bound.stream(messages)) : bound.invoke(messages));
    if (reply.tool_calls.length === 0) return reply.content;
    messages.push(reply);
    for (const call of reply.tool_calls)
      messages.push(await chainTools.find(({ name }) => name === call.name).invoke(call));
  }
}

async function wholeOf(stream) {
  let whole;
  for await (const piece of stream) whole = whole ? whole.concat(piece) : piece;
  return whole;
}

const langgraph = (model) => createReactAgent({ llm: chain(model), tools: chainTools, prompt: BRIEF });

agentsSdk.setTracingDisabled(true);
agentsSdk.setDefaultOpenAIClient(strictClient);
const chatModel = (id) => new agentsSdk.OpenAIChatCompletionsModel(client, id);
/** A front desk that hands over to the one who has the tools. */
function desk(model) {
  const tools = TOOLS.map(({ name, description, schema, run }) =>
    agentsSdk.tool({ name, description, parameters: schema, execute: run }),
  );
  const guide = new agentsSdk.Agent({ name: 'Guide', instructions: BRIEF, model, tools });
  return new agentsSdk.Agent({ name: 'Desk', instructions: 'Hand over to the guide.', model, handoffs: [guide] });
}

const AGENTS = {
  openai: (model, question) => openaiLoop(model, question, false),
  openai_streamed: (model, question) => openaiLoop(model, question, true),
  ai_sdk: async (model, question) => (await generateText(aiSdk(openai.chat(model), question))).text,
  ai_sdk_streamed: async (model, question) => await streamText(aiSdk(openai.chat(model), question)).text,
  ai_sdk_compatible: async (model, question) => (await generateText(aiSdk(compatible(model), question))).text,
  ai_sdk_compatible_streamed: async (model, question) => await streamText(aiSdk(compatible(model), question)).text,
  langchain: (model, question) => langchain(model, question, { streamed: false }),
  langchain_streamed: (model, question) => langchain(model, question, { streamed: true }),
  langgraph: async (model, question) => {
    const { messages } = await langgraph(model).invoke({ messages: [new HumanMessage(question)] });
    return messages.at(-1).content;
  },
  langgraph_streamed: async (model, question) => {
    const asked = { messages: [new HumanMessage(question)] };
    let last;
    for await (const state of await langgraph(model).stream(asked, { streamMode: 'values' })) last = state;
    return last.messages.at(-1).content;
  },
  agents_sdk_handoff: (model, question) => handoff(chatModel(model), question),
  agents_sdk_handoff_streamed: (model, question) => handoffStreamed(chatModel(model), question),
  openai_responses: (model, question) =>
    responsesLoop(model, question, (request) => strictClient.responses.create(request)),
  openai_responses_streamed: (model, question) =>
    responsesLoop(model, question, (request) => strictClient.responses.stream(request).finalResponse()),
  ai_sdk_responses: async (model, question) => (await generateText(aiSdk(strictOpenai(model), question))).text,
  ai_sdk_responses_streamed: async (model, question) => await streamText(aiSdk(strictOpenai(model), question)).text,
  agents_sdk_responses_handoff: handoff,
  agents_sdk_responses_handoff_streamed: handoffStreamed,
  anthropic_runner: async (model, question) => textOf(await anthropicRunner(model, question, false).runUntilDone()),
  anthropic_runner_streamed: async (model, question) => {
    let last;
    for await (const message of anthropicRunner(model, question, true)) last = await message.finalMessage();
    return textOf(last);
  },
};

async function handoff(model, question) {
  return (await agentsSdk.run(desk(model), question)).finalOutput;
}

async function handoffStreamed(model, question) {
  const streamed = await agentsSdk.run(desk(model), question, { stream: true });
  await streamed.completed;
  return streamed.finalOutput;
}

function textOf({ content }) {
  return content.flatMap(({ type, text }) => (type === 'text' ? [text] : [])).join('');
}

const outcomes = {};
for (const model of MODELS.split(' ')) {
  for (const [name, run] of Object.entries(AGENTS)) {
    const client = `${name} of ${model}`;
    const question = `What is the weather here today? Asked by ${client}.`;
    outcomes[client] = await run(model, question).catch((error) => `refused: ${error.message}`);
  }
}
console.log(JSON.stringify(outcomes));
