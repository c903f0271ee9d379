import { documentedCommand } from '../documented-settings.mjs';
import { editSessions } from '../edit-sessions.mjs';

await editSessions({
  program: 'node_modules/.bin/cline',
  // Without a process that stays.
  env: { CLINE_SESSION_BACKEND_MODE: 'local', CLINE_NO_AUTO_UPDATE: '1' },
  signIn: (model) => documentedCommand('cline auth', model),
  // Where there is no terminal it takes up no session: the second task is one of its own.
  words: ({ prompt }) => [prompt],
});
