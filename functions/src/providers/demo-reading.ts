import type { ProviderCall } from '../models/model';

/** A text of another model as a demo model finds it in its prompt. */
export interface DemoText {
  /** The label or title it was shown under, e.g. `A`, `part 2`. */
  readonly label: string;
  readonly text: string;
  /** Its first numbered point. */
  readonly point: string | undefined;
}

const TOPIC_CHARACTERS_MAX = 120;
const CANDIDATE = /^(?:[A-Z]{1,2}\d{0,2}(?:, (?!first draft).*)?|(?:proposition|opposition|part) \d+)$/;

/** The texts a prompt asks about, in the order shown. */
export function textsOf(call: ProviderCall): DemoText[] {
  return fencedTexts(call)
    .filter(({ title }) => CANDIDATE.test(title))
    .map(({ title, text }) => ({ label: title.split(',')[0] ?? title, text, point: /^1\. (.*)$/m.exec(text)?.[1] }));
}

/** The reader's own last text; empty when the prompt shows none. */
export function ownTextOf(call: ProviderCall): string {
  return fencedTexts(call).find(({ title }) => title === 'yours')?.text ?? '';
}

/** What the user wrote: prompts put their task behind a rule. */
export function topicOf(call: ProviderCall): string {
  const text = (lastTurn(call).split('\n\n---\n\n', 1)[0] ?? '').replace(/\s+/g, ' ').trim();
  return text.length > TOPIC_CHARACTERS_MAX ? `${text.slice(0, TOPIC_CHARACTERS_MAX - 1)}…` : text;
}

/** The task as it stands behind the rule, without the texts shown as data. */
export function taskOf(call: ProviderCall): string {
  const task = lastTurn(call).split('\n\n---\n\n').slice(1).join('\n');
  return task.replace(FENCED, '');
}

const FENCED = /^<<([0-9a-f]+) (.+)>>\n([\s\S]*?)\n<<\1 end \2>>$/gm;

function fencedTexts(call: ProviderCall): { title: string; text: string }[] {
  return [...lastTurn(call).matchAll(FENCED)].map(([, , title = '', text = '']) => ({ title, text }));
}

function lastTurn({ prompt }: ProviderCall): string {
  return prompt.turns.at(-1)?.text ?? '';
}
