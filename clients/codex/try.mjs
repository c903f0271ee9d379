import { API_KEY } from '../attempt.mjs';
import { documentedSettings } from '../documented-settings.mjs';
import { editSessions, mcpSession } from '../edit-sessions.mjs';

const agent = {
  program: 'node_modules/.bin/codex',
  files: (model) => ({ '.codex/config.toml': documentedSettings('model_providers.ensemble', model) }),
  env: { ENSEMBLE_KEY: API_KEY },
  // Its sandbox is not what is tried, and cannot be made everywhere.
  words: ({ prompt, isFirst }) => [
    ...['exec', '--dangerously-bypass-approvals-and-sandbox', ...(isFirst ? [] : ['resume', '--last']), prompt],
  ],
};
await editSessions(agent);
await mcpSession(agent);
