// What JavaScript libraries make of tools: each answers with what two tools said, one line of JSON for each. Started by
// tool-loops.test.ts: BASE_URL and API_KEY say where to ask.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { HumanMessage } from '@langchain/core/messages';
import { tool as langchainTool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, isStepCount, streamText, tool } from 'ai';
import * as z from 'zod';

const { BASE_URL: baseURL, API_KEY: apiKey } = process.env;
const QUESTION = 'What is the weather where I am?';
const whereAmI = () => 'Bergen';
const weather = ({ town }) => `rain in ${town}`;
const NOTHING = z.object({});
const TOWN = z.object({ town: z.string() });

function aiSdk() {
  return {
    model: createOpenAICompatible({ name: 'ensemble', baseURL, apiKey }).chatModel('demo-ada'),
    prompt: QUESTION,
    maxRetries: 0,
    stopWhen: isStepCount(5),
    tools: {
      where_am_i: tool({ description: 'Names the town.', inputSchema: NOTHING, execute: whereAmI }),
      weather: tool({ description: 'Tells the weather.', inputSchema: TOWN, execute: weather }),
    },
  };
}

const LIBRARIES = {
  ai_sdk_generate: async () => (await generateText(aiSdk())).text,
  ai_sdk_stream: async () => await streamText(aiSdk()).text,
  langchain: async () => {
    const tools = [
      langchainTool(whereAmI, { name: 'where_am_i', description: 'Names the town.', schema: NOTHING }),
      langchainTool(weather, { name: 'weather', description: 'Tells the weather.', schema: TOWN }),
    ];
    const settings = { model: 'demo-ada', apiKey, maxRetries: 0, configuration: { baseURL } };
    const model = new ChatOpenAI(settings).bindTools(tools);
    const messages = [new HumanMessage(QUESTION)];
    for (;;) {
      const reply = await model.invoke(messages);
      if (reply.tool_calls.length === 0) return reply.content;
      messages.push(reply);
      for (const call of reply.tool_calls)
        messages.push(await tools.find(({ name }) => name === call.name).invoke(call));
    }
  },
};

for (const [library, ask] of Object.entries(LIBRARIES)) {
  const outcome = await ask().catch((error) => String(error));
  console.log(JSON.stringify({ library, outcome }));
}
