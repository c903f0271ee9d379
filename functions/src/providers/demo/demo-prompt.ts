import type { ProviderCall } from '../../models/model';

/** Labels of authors begin so; others are those of a plan, of findings, of the reader's own text. */
const AUTHORS = [...'ABCDEFGHIJKLMNOP', 'proposition', 'opposition', 'part'];
/** The line behind what the user wrote. */
const END_OF_MESSAGE = /\n\n<<[0-9a-f]{6,64} end of the user's message/;
const TOPIC_CHARACTERS_MAX = 120;
const TOPIC_SEARCH_CHARACTERS = 1_000;

/** The last turn: what the user wrote, then the task with the texts it is about. */
export function lastTurnOf({ prompt }: ProviderCall): string {
  return prompt.turns.at(-1)?.text ?? '';
}

/** True if these words stand in the last turn. */
export function isAskedFor(call: ProviderCall, words: string): boolean {
  return lastTurnOf(call).includes(words);
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

/** Addresses under a domain that is kept free for examples: nothing is there, and nothing was looked up. */
const PAGES = 'https://example.org/demo/';
const PAGE = /https:\/\/example\.org\/demo\/[\w-]{1,40}/g;

/** The page that a demo model has “found”; its title says what it is. */
export function demoPage({ providerModel }: Pick<ProviderCall, 'providerModel'>) {
  return {
    url: `${PAGES}${providerModel}`,
    title: `Scripted page of ${providerModel}: nothing was searched`,
    isCited: true,
  };
}

/** Note of a demo model below its text where it may search. */
export function searchNote({ providerModel, prompt }: ProviderCall): string[] {
  return prompt.webSearch ? [`Scripted source, as no page was looked up: ${PAGES}${providerModel}`] : [];
}

/** The pages in the texts that an answer is made from, or the one of the model that answers alone. */
export function pagesNamed(call: ProviderCall): string[] {
  const pages = new Set(authorsTexts(call).flatMap(([, text]) => text.match(PAGE) ?? []));
  return pages.size === 0 ? searchNote(call) : [`Scripted sources, as no page was looked up: ${[...pages].join(' ')}`];
}
