/** The clients that are too large to be installed with each run of the tests; each has a folder of its name beside this file. */
export const CLIENTS = {
  'agents-sdk-js': { title: 'OpenAI Agents SDK for JavaScript', package: '@openai/agents' },
  cline: { title: 'Cline', package: '@cline/agents' },
  continue: { title: 'Continue', package: '@continuedev/openai-adapters' },
  librechat: { title: 'LibreChat', package: '@librechat/agents' },
  litellm: { title: 'LiteLLM as a client', package: 'litellm' },
  'llama-index': { title: 'LlamaIndex', package: 'llama-index-llms-openai-like' },
  n8n: { title: 'n8n', package: '@n8n/n8n-nodes-langchain' },
  'open-webui': { title: 'Open WebUI', package: 'open-webui' },
  promptfoo: { title: 'promptfoo', package: 'promptfoo' },
};
