import { createRequire } from 'node:module';
import { API_KEY, attempt, BASE_URL, QUESTION } from '../attempt.mjs';

// n8n loads nodes by their paths, too: the package exports none of them by name.
const NODE = './node_modules/@n8n/n8n-nodes-langchain/dist/nodes/llms/LMChatOpenAi/LmChatOpenAi.node.js';
const require = createRequire(import.meta.url);
const { LmChatOpenAi } = require(NODE);
const { HumanMessage } = require('@langchain/core/messages');
const { passthroughEgressFilter } = require('@n8n/backend-network');

/** All that n8n gives a node when it runs it: its parameters, its credential, where to log, which addresses it may reach. */
function executionOf(parameters) {
  return {
    getCredentials: async () => ({ apiKey: API_KEY, url: BASE_URL }),
    getNode: () => ({ name: 'OpenAI Chat Model', typeVersion: 1.3, parameters }),
    getNodeParameter: (name, _, otherwise) => parameters[name] ?? otherwise,
    addInputData: () => ({ index: 0 }),
    addOutputData: () => undefined,
    getNextRunIndex: () => 0,
    logAiEvent: () => undefined,
    logger: { debug: () => undefined, error: () => undefined, info: () => undefined, warn: () => undefined },
    helpers: { getSecureEgressFilter: () => passthroughEgressFilter },
  };
}

async function modelOf(parameters) {
  const defaults = { 'model.value': 'ensemble', responsesApiEnabled: false, options: { maxRetries: 0 } };
  const { response } = await new LmChatOpenAi().supplyData.call(executionOf({ ...defaults, ...parameters }), 0);
  return response;
}

await attempt({ tried: 'OpenAI Chat Model', kind: 'text' }, async () => {
  return (await (await modelOf({})).invoke([new HumanMessage(QUESTION)])).content;
});
await attempt({ tried: 'streamed', kind: 'text' }, async () => {
  let text = '';
  for await (const { content } of await (await modelOf({})).stream([new HumanMessage(QUESTION)])) text += content;
  return text;
});
await attempt({ tried: 'Extra Body with ensemble options', kind: 'text', calls: 3 }, async () => {
  const extraBody = JSON.stringify({ ai_ensemble: { models: ['scripted', 'scripted'] } });
  const model = await modelOf({ options: { maxRetries: 0, extraBody } });
  return (await model.invoke([new HumanMessage(QUESTION)])).content;
});
