import { documentedSettings } from '../documented-settings.mjs';
import { editSessions } from '../edit-sessions.mjs';

await editSessions({
  // Its package puts this program in its place by a script, which is not run here.
  program: `node_modules/opencode-${process.platform}-${process.arch}/bin/opencode`,
  files: (model) => ({ '.config/opencode/opencode.json': documentedSettings('opencode.ai', model) }),
  words: ({ prompt, isFirst }) => ['run', ...(isFirst ? [] : ['--continue']), prompt],
  // The title of a new session.
  besides: 1,
});
