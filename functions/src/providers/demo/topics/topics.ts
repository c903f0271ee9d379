import anyOther from './any-other.json';
import microservices from './microservices.json';
import montyHall from './monty-hall.json';
import primaryKeys from './primary-keys.json';
import rentOrBuy from './rent-or-buy.json';
import repeatingNines from './repeating-nines.json';
import tomato from './tomato.json';

/** The points of view that every topic has a text for; the last one disagrees. */
export const VOICES = ['ada', 'blaise', 'curie', 'dissenter'] as const;
export type Voice = (typeof VOICES)[number];

/** Text of one voice on a topic. */
export interface Speech {
  /** The draft, in steps that can be numbered; they hold no label and no name of a model. */
  readonly steps: readonly string[];
  /** Addition of a revision after reading the others. */
  readonly added: string;
  /** Flaw of the draft in a critic's words. */
  readonly flaw: string;
  /** The answer, as short as it can be said. */
  readonly final: string;
  /** Objection to the others. */
  readonly dissent?: string;
}

/** A voice that takes part in the division of the work as well. */
interface PanelSpeech extends Speech {
  readonly lens: { readonly name: string; readonly focus: string };
  readonly work: { readonly title: string; readonly task: string };
}

/** A question that the demo models have texts for: what each voice says, and what an arbiter makes of it. */
export interface Topic extends Readonly<Record<'ada' | 'blaise' | 'curie', PanelSpeech>> {
  readonly dissenter: Speech;
  /** The message as it is suggested. */
  readonly prompt: string;
  /** Patterns of words; a message that has all of them asks the same. */
  readonly keywords: readonly string[];
  /** The united answer: the paragraphs of those voices that were heard, between the other two. */
  readonly answer: Readonly<Record<'opening' | Voice | 'closing', string>>;
  readonly agreed: readonly string[];
  readonly conflict: { readonly point: string; readonly ruling: string };
  readonly open: string;
  readonly checks: readonly string[];
  readonly best: string;
  readonly rationale: string;
  readonly final: string;
  readonly followUps: readonly string[];
}

const TOPICS: readonly Topic[] = [tomato, montyHall, primaryKeys, repeatingNines, rentOrBuy, microservices];

/** The messages that the demo models have texts of their own for, the one of the README first. */
export const SUGGESTED_PROMPTS: readonly string[] = TOPICS.map(({ prompt }) => prompt);

/** A longer message asks for more than the topic. */
const MESSAGE_CHARACTERS_MAX = 200;
/** Messages about the same things that want something else made of them. */
const ANOTHER_TASK = /\b(?:poem|song|story|essay|title|tags?|program|function|script|translate|summari[sz]e|write)\b/i;

const KEYWORDS = TOPICS.map((topic) => ({
  topic,
  patterns: topic.keywords.map((words) => new RegExp(`\\b(?:${words})\\b`, 'i')),
}));

/** The topic that a message is about; undefined for messages without a text of their own. */
export function topicAbout(message: string): Topic | undefined {
  if (message.length > MESSAGE_CHARACTERS_MAX || ANOTHER_TASK.test(message)) return undefined;
  return KEYWORDS.find(({ patterns }) => patterns.every((words) => words.test(message)))?.topic;
}

/** Texts on any other message, which is shown as `line`. */
export function anyOtherTopic(line: string): Topic {
  const prompts = SUGGESTED_PROMPTS.map((prompt) => `- ${prompt}`).join('\n');
  const filled = (text: string): string =>
    text.replaceAll(/\{(message|prompts)\}/g, (_, name) => (name === 'message' ? line : prompts));
  return JSON.parse(JSON.stringify(anyOther), (_, value) => (typeof value === 'string' ? filled(value) : value));
}
