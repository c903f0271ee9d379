import { imagesIn } from '../../models/images';
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

/** The same turn without results of tools, showing what they returned in pictures: for protocols whose results are texts. */
export function withToolImages({ toolResults = [], ...turn }: ChatTurn): ChatTurn {
  const images = imagesIn({ ...turn, toolResults });
  const tools = toolResults.flatMap(({ name, images: returned = [] }) => returned.map(() => name));
  if (tools.length === 0) return turn;
  const note = `[Beside the results above, tools returned images, here in order: ${tools.join(', ')}]`;
  return { ...turn, images, ...textOfPieces(turn.text === '' ? [note] : [note, '\n\n', ...piecesOf(turn)]) };
}

function isBlank(turn: ChatTurn): boolean {
  return piecesOf(turn).every((piece) => piece.trim() === '');
}

/** A turn in parts: each that is to be kept in a cache ends where its mark was, and has one at its end. */
export function partsAtMarks({ cacheMarks = [], ...turn }: ChatTurn): ChatTurn[] {
  const parts: ChatTurn[] = [];
  let rest: ChatTurn = turn;
  for (const behind of cacheMarks) {
    const { pieces: _, ...shown } = rest;
    const [kept, others] = inTwo(rest, rest.text.length - behind);
    parts.push({ ...shown, ...kept, cacheMarks: [0] });
    rest = { role: turn.role, ...others };
  }
  return parts.length > 0 && rest.text === '' ? parts : [...parts, rest];
}

type Text = Pick<ChatTurn, 'text' | 'pieces'>;

/** One that shares its pieces with other prompts goes on sharing them. */
function inTwo(turn: Text, at: number): [Text, Text] {
  const [first = '', ...others] = piecesOf(turn);
  if (first.length === at) return [{ text: first }, textOfPieces(others)];
  if (at === turn.text.length) return [{ text: turn.text, pieces: piecesOf(turn) }, { text: '' }];
  return [{ text: turn.text.slice(0, at) }, { text: turn.text.slice(at) }];
}
