// Results of JavaScript clients of the Responses protocol, of Messages and of MCP, with nothing set but address and key, as
// JSON. Started by wires.test.ts: ORIGIN and API_KEY say where to ask.

import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Agent, run, setDefaultOpenAIClient, setTracingDisabled } from '@openai/agents';
import { generateText, isStepCount, Output, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import * as z from 'zod';

const { ORIGIN, API_KEY: apiKey } = process.env;
const QUESTION = 'Is a tomato a fruit?';
const MESSAGES = [{ role: 'user', content: QUESTION }];
const Verdict = z.object({ fruit: z.boolean(), why: z.string() });

const client = new OpenAI({ baseURL: `${ORIGIN}/openai/v1`, apiKey, maxRetries: 0 });
const anthropic = new Anthropic({ baseURL: `${ORIGIN}/anthropic`, apiKey, maxRetries: 0 });
const openai = createOpenAI({ baseURL: `${ORIGIN}/openai/v1`, apiKey });
setTracingDisabled(true);
setDefaultOpenAIClient(client);

const ask = (model) => ({ model, input: QUESTION });
const askAiSdk = (model) => ({ model: openai(model), prompt: QUESTION, maxRetries: 0 });
const askAnthropic = (model) => ({ model, max_tokens: 1000, messages: MESSAGES });
const agent = (model, more) => new Agent({ name: 'Panel', instructions: 'Be brief.', model, ...more });
const textOf = ({ content }) => content.flatMap(({ type, text }) => (type === 'text' ? [text] : [])).join('');

const TEXT = {
  openai_chat_streamed: async () => {
    let text = '';
    // As loops are written that never meet a chunk without a choice.
    for await (const { choices } of await client.chat.completions.create({
      model: 'ensemble',
      messages: MESSAGES,
      stream: true,
    }))
      text += choices[0].delta.content ?? '';
    return text;
  },
  openai_responses: async () => (await client.responses.create(ask('ensemble'))).output_text,
  openai_responses_events: async () => {
    let text = '';
    for await (const event of await client.responses.create({ ...ask('ensemble'), stream: true }))
      if (event.type === 'response.output_text.delta') text += event.delta;
    return text;
  },
  openai_responses_streamed: async () => (await client.responses.stream(ask('ensemble')).finalResponse()).output_text,
  ai_sdk: async () => (await generateText(askAiSdk('ensemble'))).text,
  ai_sdk_streamed: async () => await streamText(askAiSdk('ensemble')).text,
  agents_sdk: async () => (await run(agent('ensemble'), QUESTION)).finalOutput,
  agents_sdk_streamed: async () => {
    const streamed = await run(agent('ensemble'), QUESTION, { stream: true });
    await streamed.completed;
    return streamed.finalOutput;
  },
  anthropic: async () => textOf(await anthropic.messages.create(askAnthropic('ensemble'))),
  anthropic_streamed: async () => textOf(await anthropic.messages.stream(askAnthropic('ensemble')).finalMessage()),
  // The other parts say what it cost and how far the models agree.
  mcp: () =>
    inMcp(async (mcp) => (await mcp.callTool({ name: 'ask', arguments: { question: QUESTION } })).content[0].text),
};

/** Two turns of a chat, the first of which the library has heard from the service. */
async function secondTurn(providerOptions) {
  const { response } = await generateText({ ...askAiSdk('ensemble'), providerOptions });
  const messages = [...MESSAGES, ...response.messages, ...MESSAGES];
  return (await generateText({ ...askAiSdk('ensemble'), prompt: undefined, messages, providerOptions })).text;
}
const look = tool({ inputSchema: z.object({}), execute: () => 'It is red.' });
const TURNS = {
  ai_sdk_loop: async () =>
    (await generateText({ ...askAiSdk('ensemble'), tools: { look }, stopWhen: isStepCount(3) })).text,
  ai_sdk_as_it_is: () => secondTurn({}),
  ai_sdk_not_stored: () => secondTurn({ openai: { store: false } }),
};

const OBJECT = {
  openai_responses: async (model) => (await client.responses.parse({ ...ask(model), text: VERDICT })).output_parsed,
  openai_responses_streamed: async (model) =>
    (await client.responses.stream({ ...ask(model), text: VERDICT }).finalResponse()).output_parsed,
  ai_sdk: async (model) =>
    (await generateText({ ...askAiSdk(model), output: Output.object({ schema: Verdict }) })).output,
  agents_sdk: async (model) => (await run(agent(model, { outputType: Verdict }), QUESTION)).finalOutput,
  anthropic: async (model) => {
    const output_config = { format: zodOutputFormat(Verdict) };
    return (await anthropic.messages.parse({ ...askAnthropic(model), output_config })).parsed_output;
  },
};
const VERDICT = { format: zodTextFormat(Verdict, 'verdict') };

const LISTS = {
  openai_models: async () => (await client.models.list()).data.some(({ id }) => id === 'ensemble'),
  openai_model: async () => (await client.models.retrieve('ensemble')).id,
  anthropic_models: async () => {
    for await (const { id } of anthropic.models.list()) if (id === 'ensemble') return true;
  },
  anthropic_model: async () => (await anthropic.models.retrieve('ensemble')).id,
  anthropic_tokens: async () =>
    (await anthropic.messages.countTokens({ model: 'ensemble', messages: MESSAGES })).input_tokens > 0,
  mcp_tools: () => inMcp(async (mcp) => (await mcp.listTools()).tools.map(({ name }) => name).sort()),
};

async function inMcp(work) {
  const mcp = new Client({ name: 'clients', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${apiKey}` } };
  await mcp.connect(new StreamableHTTPClientTransport(new URL(`${ORIGIN}/mcp`), { requestInit }));
  return await work(mcp).finally(() => mcp.close());
}

async function outcomesOf(asks, ...given) {
  const outcomes = {};
  for (const [name, run] of Object.entries(asks))
    outcomes[name] = await run(...given).catch((error) => `refused: ${error.message}`);
  return outcomes;
}

const outcomes = {
  text: await outcomesOf(TEXT),
  turns: await outcomesOf(TURNS),
  lists: await outcomesOf(LISTS),
  'of one model': await outcomesOf(OBJECT, 'demo-ada'),
  'of an ensemble': await outcomesOf(OBJECT, 'ensemble'),
};
console.log(JSON.stringify(outcomes));
