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
  return lastTurn([...history, last]);
}

/** The request that began the turn before; undefined where there was none. */
export function requestBefore(request: EnsembleRequest): EnsembleRequest | undefined {
  const { before = [] } = userTurn(request) ?? {};
  const answered = before.slice(0, before.findLastIndex(({ role }) => role === 'assistant') + 1);
  const turn = lastTurn(answered);
  if (!turn) return undefined;
  const { images: _, name: __, toolResults: ___, ...rest } = request;
  const { role: ____, text: message, ...speaker } = turn.said;
  return { ...rest, ...speaker, message, history: turn.before };
}

function lastTurn(turns: readonly ChatTurn[]): UserTurn | undefined {
  const at = turns.findLastIndex((turn) => turn.role === 'user' && !turn.toolResults);
  const said = turns[at];
  return said && { before: turns.slice(0, at), said, since: turns.slice(at + 1) };
}
