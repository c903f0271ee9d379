import type { ChatTurn } from '../../../models/model';
import type { EnsembleRequest } from '../../run';

/** Conversation as it was when the user last spoke. */
export interface UserTurn {
  readonly before: readonly ChatTurn[];
  readonly said: ChatTurn;
}

/** The last turn of the user, whatever was called and returned since; undefined where the user has said nothing. */
export function userTurn(
  request: Pick<EnsembleRequest, 'history' | 'message' | 'images' | 'name' | 'toolResults'>,
): UserTurn | undefined {
  const { history, message: text, images, name, toolResults } = request;
  if (!toolResults)
    return { before: history, said: { role: 'user', text, ...(images && { images }), ...(name && { name }) } };
  const at = history.findLastIndex(({ role, toolResults: results }) => role === 'user' && !results);
  const said = history[at];
  return said && { before: history.slice(0, at), said };
}
