import { randomUUID } from 'node:crypto';
import { HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { Providers, Run } from '@librechat/agents';
import * as z from 'zod';
import { API_KEY, attempt, BASE_URL, QUESTION, TOOLS, WEATHER_QUESTION } from '../attempt.mjs';

// What LibreChat makes of a custom endpoint in librechat.yaml.
function llmConfig(model) {
  return { provider: Providers.OPENAI, model, apiKey: API_KEY, streaming: true, configuration: { baseURL: BASE_URL } };
}

async function ask(model, question, tools = []) {
  const runId = randomUUID();
  const graphConfig = { type: 'standard', instructions: 'Be brief.', llmConfig: llmConfig(model), tools };
  const run = await Run.create({ runId, graphConfig, returnContent: true, skipCleanup: true });
  const config = { runId, streamMode: 'values', version: 'v2', configurable: { thread_id: runId } };
  const content = await run.processStream({ messages: [new HumanMessage(question)] }, config);
  return { run, content, text: content.map((part) => part?.text ?? '').join('') };
}

await attempt({ tried: 'chat, streamed', kind: 'text' }, async () => (await ask('ensemble', QUESTION)).text);

const toolLoop = async (model) => {
  const tools = [
    tool(TOOLS.whereAmI, { name: 'where_am_i', description: 'Names the town.', schema: z.object({}) }),
    tool(TOOLS.weather, { name: 'weather', description: 'Tells it.', schema: z.object({ town: z.string() }) }),
  ];
  return (await ask(model, WEATHER_QUESTION, tools)).text;
};
await attempt({ tried: 'agent with one model', kind: 'tools', calls: 3 }, () => toolLoop('scripted'));
await attempt({ tried: 'agent with an ensemble', kind: 'tools', calls: 5 }, () => toolLoop('ensemble'));

const { run, content: contentParts } = await ask('ensemble', QUESTION);
// LibreChat takes the options for streams away where it asks for titles.
const { streaming: _, ...clientOptions } = llmConfig('ensemble');
await attempt({ tried: 'title of a conversation', kind: 'text', calls: 1 }, async () => {
  const options = { inputText: QUESTION, contentParts, clientOptions, titleMethod: 'completion' };
  return (await run.generateTitle({ provider: Providers.OPENAI, ...options })).title;
});
