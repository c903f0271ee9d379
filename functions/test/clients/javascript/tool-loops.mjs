// Agents as they are written with JavaScript libraries, each with the same three tools: what each ends with, as JSON.
// Started by tool-loops.test.ts: BASE_URL and API_KEY say where to ask, MODELS with which models.
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { HumanMessage } from '@langchain/core/messages';
import { tool as langchainTool } from '@langchain/core/tools';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';
import * as agentsSdk from '@openai/agents';
import { generateText, isStepCount, streamText, tool } from 'ai';
import OpenAI from 'openai';
import * as z from 'zod';

const { BASE_URL: baseURL, API_KEY: apiKey, MODELS = '' } = process.env;
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
      tools: TOOLS.map(({ name, description, schema, run }) => {
        const { $schema: _, ...parameters } = z.toJSONSchema(schema);
        return { type: 'function', function: { name, description, parameters, function: run, parse: JSON.parse } };
      }),
    })
    .finalContent();

const aiSdk = (model, question) => {
  const tools = TOOLS.map(({ name, description, schema, run }) => [
    name,
    tool({ description, inputSchema: schema, execute: run }),
  ]);
  const asked = { model, system: BRIEF, prompt: question, maxRetries: 0, stopWhen: isStepCount(5) };
  return { ...asked, tools: Object.fromEntries(tools) };
};
const openai = createOpenAI({ baseURL, apiKey });
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
/** A front desk that hands over to the one who has the tools. */
function desk(id) {
  const model = new agentsSdk.OpenAIChatCompletionsModel(client, id);
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
  agents_sdk_handoff: async (model, question) => (await agentsSdk.run(desk(model), question)).finalOutput,
  agents_sdk_handoff_streamed: async (model, question) => {
    const streamed = await agentsSdk.run(desk(model), question, { stream: true });
    await streamed.completed;
    return streamed.finalOutput;
  },
};

const outcomes = {};
for (const model of MODELS.split(' ')) {
  for (const [name, run] of Object.entries(AGENTS)) {
    const client = `${name} of ${model}`;
    const question = `What is the weather here today? Asked by ${client}.`;
    outcomes[client] = await run(model, question).catch((error) => `refused: ${error.message}`);
  }
}
console.log(JSON.stringify(outcomes));
