/** The clients that are too large to be installed with each run of the tests; each has a folder of its name beside this file. */
export const CLIENTS = {
  'claude-code': { title: 'Claude Code', package: '@anthropic-ai/claude-code' },
  cline: { title: 'Cline CLI', package: 'cline' },
  codex: { title: 'Codex CLI', package: '@openai/codex' },
  continue: { title: 'Continue CLI', package: '@continuedev/cli' },
  librechat: { title: 'LibreChat', package: '@librechat/agents' },
  litellm: { title: 'LiteLLM as a client', package: 'litellm' },
  'llama-index': { title: 'LlamaIndex', package: 'llama-index-llms-openai-like' },
  'mcp-inspector': { title: 'MCP Inspector', package: '@modelcontextprotocol/inspector' },
  n8n: { title: 'n8n', package: '@n8n/n8n-nodes-langchain' },
  opencode: { title: 'opencode', package: 'opencode-ai' },
  'open-webui': { title: 'Open WebUI', package: 'open-webui' },
  promptfoo: { title: 'promptfoo', package: 'promptfoo' },
};
