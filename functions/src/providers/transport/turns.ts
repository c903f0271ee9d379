import { type ChatTurn, nameInText, piecesOf, textOfPieces } from '../../models/model';

/** Stands in front of a conversation that the assistant opened. */
const OPENING: ChatTurn = { role: 'user', text: '(start of conversation)' };

/** Puts turns into the form Anthropic and Google ask for: alternating roles, the user’s first, none blank, no names. */
export function alternatingTurns(turns: readonly ChatTurn[]): ChatTurn[] {
  const spoken = turns.filter((turn) => turn.images || turn.toolCalls || turn.toolResults || !isBlank(turn));
  const runs: ChatTurn[][] = [];
  for (const named of spoken.length > 0 ? spoken : turns) {
    const turn = named.name === undefined ? named : nameInText(named);
    const last = runs.at(-1);
    if (last?.[0]?.role === turn.role) last.push(turn);
    else runs.push([turn]);
  }
  const merged = runs.flatMap(joined);
  return merged[0]?.role === 'assistant' ? [OPENING, ...merged] : merged;
}

/** Turns of one role as one, all at once: turn by turn, what is joined would be copied each time. */
function joined(run: readonly ChatTurn[]): ChatTurn[] {
  const [first, ...others] = run;
  if (!first || others.length === 0) return first ? [first] : [];
  const images = run.flatMap((turn) => turn.images ?? []);
  const toolCalls = run.flatMap((turn) => turn.toolCalls ?? []);
  const toolResults = run.flatMap((turn) => turn.toolResults ?? []);
  const cacheMarks = run.at(-1)?.cacheMarks;
  const pieces = run
    .filter((turn) => !isBlank(turn))
    .flatMap((turn) => ['\n\n', ...piecesOf(turn)])
    .slice(1);
  return [
    {
      role: first.role,
      ...textOfPieces(pieces),
      ...(images.length > 0 && { images }),
      ...(toolCalls.length > 0 && { toolCalls }),
      ...(toolResults.length > 0 && { toolResults }),
      ...(cacheMarks && { cacheMarks }),
    },
  ];
}

function isBlank(turn: ChatTurn): boolean {
  return piecesOf(turn).every((piece) => piece.trim() === '');
}
