import { type ChatTurn, piecesOf, textOfPieces } from '../../models/model';

/** Stands in front of a conversation that the assistant opened. */
const OPENING: ChatTurn = { role: 'user', text: '(start of conversation)' };

/**
 * Puts turns into the form Anthropic and Google ask for: roles alternate, the first turn is the user's, no turn is
 * blank. Turns of one role in a row are joined by a blank line, blank ones are left out unless there are only such.
 */
export function alternatingTurns(turns: readonly ChatTurn[]): ChatTurn[] {
  const spoken = turns.filter((turn) => piecesOf(turn).some((piece) => piece.trim() !== ''));
  const merged: ChatTurn[] = [];
  for (const turn of spoken.length > 0 ? spoken : turns) {
    const last = merged.at(-1);
    if (last?.role === turn.role) merged[merged.length - 1] = joined(last, turn);
    else merged.push(turn);
  }
  return merged[0]?.role === 'assistant' ? [OPENING, ...merged] : merged;
}

function joined(a: ChatTurn, b: ChatTurn): ChatTurn {
  const images = [...(a.images ?? []), ...(b.images ?? [])];
  const pieces = [...piecesOf(a), '\n\n', ...piecesOf(b)];
  return { role: a.role, ...textOfPieces(pieces), ...(images.length > 0 && { images }) };
}
