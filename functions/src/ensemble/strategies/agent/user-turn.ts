import type { ChatTurn } from '../../../models/model';
import type { EnsembleRequest } from '../../run';

/** A user's turn: the message, what was said before it, and what was called and returned since. */
export interface UserTurn {
  readonly before: readonly ChatTurn[];
  readonly said: ChatTurn;
  readonly since: readonly ChatTurn[];
}

/** The last turn of the user; undefined where the user has said nothing. */
export function userTurn({ history, message: text, images, name, toolResults }: EnsembleRequest): UserTurn | undefined {
  const last: ChatTurn = {
    ...{ role: 'user', text },
    ...(images && { images }),
    ...(name && { name }),
    ...(toolResults && { toolResults }),
  };
  const turns = [...history, last];
  const at = turns.findLastIndex((turn) => turn.role === 'user' && !turn.toolResults);
  const said = turns[at];
  return said && { before: turns.slice(0, at), said, since: turns.slice(at + 1) };
}
