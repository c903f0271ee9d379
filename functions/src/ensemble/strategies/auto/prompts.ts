import { USERS_WISHES } from '../../waves/users-wishes';

/** One draft that says first whether it is enough. */
export const FIRST_DRAFT_TASK = [
  'Before you reply, decide whether several models should answer this message. They need not when one good reply is plainly enough: a greeting or thanks, a title, tags or another small chore, rewording or translating a short text, a plain fact that you are sure of. They should when the answer can be disputed, needs reasoning that may go wrong, or would gain from a second opinion. In doubt they should.',
  'Begin your reply with one line of its own: "PANEL: no" if your reply is enough, else "PANEL: yes". It is taken off before anybody reads the rest, so leave no other trace of it. From the next line on reply to the user, in full, either way.',
  USERS_WISHES,
];
