import { finalWords } from '../../waves/task-words';

/** One draft that says first whether it is enough; `hasSystem`: its author follows a system message. */
export function firstDraftTask(hasSystem: boolean): string[] {
  return [
    "First decide whether several models should answer the user's message. They need not when one good reply is plainly enough: a greeting or thanks, a title, tags or another small chore, rewording or translating a short text, a plain fact that you are sure of. They should when the answer can be disputed, needs reasoning that may go wrong, or would gain from a second opinion. If in doubt, they should.",
    'Begin your reply with one line for the service: "PANEL: no" if your reply is enough, otherwise "PANEL: yes". It is removed before anybody reads the rest, so mention it nowhere else. Below that line, reply to the user in full either way.',
    finalWords(hasSystem),
  ];
}
