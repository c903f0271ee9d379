import { type ChatTurn, piecesOf, textOfPieces } from './model';

/** Longer ones are nobody's name: of them the beginning is told. */
const CHARACTERS_MAX = 256;
/** Names that OpenAI's protocol has a field for. */
const IN_A_FIELD = /^[^\s<|\\/>]{1,64}$/;

/** A text and its speaker, as a client names one: in a field, or in the text where no protocol takes the name. */
export function spokenBy(speaker: unknown, text: string, { inField = true } = {}): Pick<ChatTurn, 'text' | 'name'> {
  const name = typeof speaker === 'string' ? speaker.slice(0, CHARACTERS_MAX).trim().replaceAll(/\s+/g, ' ') : '';
  if (name === '') return { text };
  if (inField && IN_A_FIELD.test(name)) return { text, name };
  return { text: text.trim() === '' ? text : `${name}: ${text}` };
}

/** The same turn, which tells in its text who speaks, unless it says nothing. */
export function nameInText({ name, ...turn }: ChatTurn): ChatTurn {
  if (name === undefined || turn.text.trim() === '') return turn;
  return { ...turn, ...textOfPieces([`${name}: `, ...piecesOf(turn)]) };
}
