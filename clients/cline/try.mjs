import { Agent } from '@cline/agents';
import { createHandler } from '@cline/llms';
import { API_KEY, attempt, BASE_URL, QUESTION, TOOLS, WEATHER_QUESTION } from '../attempt.mjs';

// What Cline makes of the API provider `OpenAI Compatible`.
const provider = { providerId: 'openai-compatible', baseUrl: BASE_URL, apiKey: API_KEY };

await attempt({ tried: 'chat, streamed', kind: 'text' }, async () => {
  let text = '';
  const messages = [{ role: 'user', content: [{ type: 'text', text: QUESTION }] }];
  for await (const chunk of createHandler({ ...provider, modelId: 'ensemble' }).createMessage('Be brief.', messages))
    if (chunk.type === 'text') text += chunk.text;
  return text;
});

await attempt({ tried: 'agent: a loop of two tools', kind: 'tools' }, async () => {
  const nothing = { type: 'object', properties: {} };
  const town = { type: 'object', properties: { town: { type: 'string' } }, required: ['town'] };
  const tools = [
    { name: 'where_am_i', description: 'Names the town.', inputSchema: nothing, execute: async () => TOOLS.whereAmI() },
    { name: 'weather', description: 'Tells the weather.', inputSchema: town, execute: async (input) => TOOLS.weather(input) },
  ];
  const agent = new Agent({ ...provider, modelId: 'scripted', systemPrompt: 'Be brief.', tools });
  const { outputText, status, error } = await agent.run(WEATHER_QUESTION);
  return outputText || `${status}: ${error?.message}`;
});
