import { documentedCommand, documentedSettings } from '../documented-settings.mjs';
import { editSessions, mcpSession } from '../edit-sessions.mjs';

const agent = {
  // Its package puts this program in its place by a script, which is not run here.
  program: `node_modules/@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`,
  files: (model) => ({ '.claude/settings.json': documentedSettings('ANTHROPIC_BASE_URL', model) }),
  words: ({ prompt, isFirst }) => [
    ...['--print', prompt, ...(isFirst ? [] : ['--continue'])],
    ...['--allowedTools', 'Read,Edit,Bash,mcp__ensemble__ask'],
  ],
};
await editSessions(agent);
await mcpSession({ ...agent, signIn: (model) => documentedCommand('claude mcp add', model) });
