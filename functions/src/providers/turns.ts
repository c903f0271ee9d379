import type { ChatTurn } from '../models/model';

/** Stands in front of a conversation that the assistant opened. */
const OPENING: ChatTurn = { role: 'user', text: '(start of conversation)' };

/**
 * Puts turns into the form Anthropic and Google ask for: roles alternate, the first turn is the user's, no turn is
 * blank. Turns of one role in a row are joined by a blank line, blank ones are left out unless there are only such.
 */
export function alternatingTurns(turns: readonly ChatTurn[]): ChatTurn[] {
  const spoken = turns.filter((turn) => turn.text.trim() !== '');
  const merged: ChatTurn[] = [];
  for (const { role, text } of spoken.length > 0 ? spoken : turns) {
    const last = merged.at(-1);
    if (last?.role === role) merged[merged.length - 1] = { role, text: `${last.text}\n\n${text}` };
    else merged.push({ role, text });
  }
  return merged[0]?.role === 'assistant' ? [OPENING, ...merged] : merged;
}
