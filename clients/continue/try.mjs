import { documentedSettings } from '../documented-settings.mjs';
import { editSessions } from '../edit-sessions.mjs';

await editSessions({
  program: 'node_modules/.bin/cn',
  files: (model) => ({ '.continue/config.yaml': documentedSettings('schema: v1', model) }),
  words: ({ prompt, isFirst }) => ['--auto', ...(isFirst ? [] : ['--resume']), '--print', prompt],
});
