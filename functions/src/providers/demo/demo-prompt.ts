import type { ProviderCall } from '../../models/model';

/** Titles of authors' texts begin so; others are those of a plan, of findings, of the reader's own text. */
const AUTHORS = [...'ABCDEFGHIJKLMNOP', 'proposition', 'opposition', 'part'];
/** The line behind what the user wrote. */
const END_OF_MESSAGE = /\n\n<<[0-9a-f]{6,64} end of the user's message/;
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

/** Message of the user on one line, not too long. */
export function lineOf(call: ProviderCall): string {
  const line = messageOf(call).split(/\s+/).join(' ');
  return line.length > TOPIC_CHARACTERS_MAX ? `${line.slice(0, TOPIC_CHARACTERS_MAX - 1)}…` : line;
}

/** The line before a text that is shown, and the one behind it. */
const FENCE = /^<<\S+ (.*)>>$/gm;

/** The texts that are shown, by the titles of their fences: up to the first comma, behind which stands what they are. */
export function shownTexts(call: ProviderCall): ReadonlyMap<string, string> {
  const turn = lastTurnOf(call);
  const task = turn.slice(Math.max(0, turn.search(END_OF_MESSAGE)));
  const texts = new Map<string, string>();
  let title = '';
  let from = 0;
  for (const { 0: line, 1: said = '', index } of task.matchAll(FENCE)) {
    if (title !== '') texts.set(title, `${texts.get(title) ?? ''}${task.slice(from, index)}`);
    title = said.startsWith('end ') ? '' : (said.split(',', 1)[0] ?? '');
    from = index + line.length + 1;
  }
  return texts;
}

/** The texts of other authors, by label, in the order shown. */
export function authorsTexts(call: ProviderCall): [label: string, text: string][] {
  return [...shownTexts(call)].filter(([title]) => AUTHORS.some((start) => title.startsWith(start)));
}

/** The page that a demo model has “found”, under a domain that is kept free for examples; its title says what it is. */
export function demoPage({ providerModel }: Pick<ProviderCall, 'providerModel'>) {
  return {
    url: `https://example.org/demo/${providerModel}`,
    title: `Scripted page of ${providerModel}: nothing was searched`,
    isCited: true,
  };
}
