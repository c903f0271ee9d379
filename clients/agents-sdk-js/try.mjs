import { Agent, OpenAIChatCompletionsModel, run, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import * as z from 'zod';
import { API_KEY, attempt, BASE_URL, QUESTION, TOOLS, WEATHER_QUESTION } from '../attempt.mjs';

setTracingDisabled(true);
const client = new OpenAI({ baseURL: BASE_URL, apiKey: API_KEY });
const modelOf = (id) => new OpenAIChatCompletionsModel(client, id);

const guide = new Agent({
  name: 'Guide',
  model: modelOf('scripted'),
  tools: [
    tool({ name: 'where_am_i', description: 'Names the town.', parameters: z.object({}), execute: TOOLS.whereAmI }),
    tool({ name: 'weather', description: 'Tells it.', parameters: z.object({ town: z.string() }), execute: TOOLS.weather }),
  ],
});

await attempt({ tried: 'run', kind: 'text' }, async () => {
  return (await run(new Agent({ name: 'Panel', model: modelOf('ensemble') }), QUESTION)).finalOutput;
});
await attempt({ tried: 'output type', kind: 'object' }, async () => {
  const outputType = z.object({ fruit: z.boolean(), why: z.string() });
  return (await run(new Agent({ name: 'Panel', model: modelOf('ensemble'), outputType }), QUESTION)).finalOutput;
});
await attempt({ tried: 'a loop of two tools', kind: 'tools' }, async () => (await run(guide, WEATHER_QUESTION)).finalOutput);
await attempt({ tried: 'a loop of two tools, streamed', kind: 'tools' }, async () => {
  const streamed = await run(guide, WEATHER_QUESTION, { stream: true });
  await streamed.completed;
  return streamed.finalOutput;
});
