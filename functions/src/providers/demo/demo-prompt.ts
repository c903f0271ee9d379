import type { ProviderCall } from '../../models/model';

/** Labels of authors begin so; others are those of a plan, of findings, of the reader's own text. */
const AUTHORS = [...'ABCDEFGHIJKLMNOP', 'proposition', 'opposition', 'part'];
/** The line behind what the user wrote. */
const END_OF_MESSAGE = /\n\n<<[0-9a-f]{16} end of the user's message/;
const TOPIC_CHARACTERS_MAX = 120;
const TOPIC_SEARCH_CHARACTERS = 1_000;

/** The last turn: what the user wrote, then the task with the texts it is about. */
export function lastTurnOf({ prompt }: ProviderCall): string {
  return prompt.turns.at(-1)?.text ?? '';
}

/** The beginning of what the user wrote. */
export function messageOf(call: ProviderCall): string {
  const [message = ''] = lastTurnOf(call).split(END_OF_MESSAGE, 1);
  return message.trim().slice(0, TOPIC_SEARCH_CHARACTERS);
}

/** What the user wrote, on one line and not too long. */
export function topicOf(call: ProviderCall): string {
  const line = messageOf(call).split(/\s+/).join(' ');
  return line.length > TOPIC_CHARACTERS_MAX ? `${line.slice(0, TOPIC_CHARACTERS_MAX - 1)}…` : line;
}

/** The texts of other authors, in the order shown: each label with the text's first numbered point. */
export function pointsByLabel(call: ProviderCall): ReadonlyMap<string, string> {
  const points = new Map<string, string>();
  let label = '';
  for (const line of lastTurnOf(call).split('\n')) {
    if (line.startsWith('<<')) label = line.slice(line.indexOf(' ') + 1, -2).split(',', 1)[0] ?? '';
    if (!AUTHORS.some((start) => label.startsWith(start))) continue;
    const point = points.get(label) || (line.startsWith('1. ') ? line.slice(3) : '');
    points.set(label, point);
  }
  return points;
}
