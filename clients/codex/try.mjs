import { API_KEY } from '../attempt.mjs';
import { documentedSettings } from '../documented-settings.mjs';
import { editSessions, mcpSession } from '../edit-sessions.mjs';

const settings = (model) => ['model_providers.ensemble', 'mcp_servers.ensemble'].map((words) => documentedSettings(words, model)).join('\n');
const agent = {
  program: 'node_modules/.bin/codex',
  files: (model) => ({ '.codex/config.toml': settings(model) }),
  env: { ENSEMBLE_KEY: API_KEY },
  // Its sandbox is not what is tried, and cannot be made everywhere.
  words: ({ prompt, isFirst }) => [
    ...['exec', '--dangerously-bypass-approvals-and-sandbox', ...(isFirst ? [] : ['resume', '--last']), prompt],
  ],
};
await editSessions(agent);
await mcpSession(agent);
