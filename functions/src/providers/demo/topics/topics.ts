import type { ProviderCall } from '../../../models/model';
import { lineOf, messageOf } from '../demo-prompt';
import anyOther from './any-other.json';
import microservices from './microservices.json';
import montyHall from './monty-hall.json';
import tomato from './tomato.json';

/** The points of view that every topic has a text for; the last one disagrees. */
export const VOICES = ['ada', 'blaise', 'curie', 'dissenter'] as const;

/** Text of one voice on a topic. */
export interface Speech {
  /** The draft, in steps that can be numbered; its second one tells it from all others. */
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

/** A question that the demo models have texts for: `any-other.json` has those on all other messages. */
export type Topic = Omit<typeof tomato, (typeof VOICES)[number]> &
  Readonly<Record<'ada' | 'blaise' | 'curie', Speech & Pick<typeof tomato.ada, 'lens' | 'work'>>> & {
    readonly dissenter: Speech;
  };

const TOPICS: readonly Topic[] = [tomato, montyHall, microservices];

/** The messages that the demo models have texts of their own for, the one of the README first. */
export const SUGGESTED_PROMPTS: readonly string[] = TOPICS.map(({ prompt }) => prompt);

/** A longer message asks for more than the topic. */
const MESSAGE_CHARACTERS_MAX = 200;
/** Messages about the same things that want something else made of them. */
const ANOTHER_TASK = /\b(?:poem|song|story|essay|title|tags?|program|function|script|translate|summari[sz]e|write)\b/i;

/** The topic that a call is about. */
export function topicOf(call: ProviderCall): Topic {
  const message = messageOf(call);
  const isOther = message.length > MESSAGE_CHARACTERS_MAX || ANOTHER_TASK.test(message);
  const has = (words: string): boolean => new RegExp(`\\b(?:${words})\\b`, 'i').test(message);
  const topic = isOther ? undefined : TOPICS.find(({ keywords }) => keywords.every(has));
  return topic ?? anyOtherTopic(lineOf(call));
}

/** Texts on any other message, which is shown as `line`. */
function anyOtherTopic(line: string): Topic {
  const values = { '{message}': line, '{prompts}': SUGGESTED_PROMPTS.map((prompt) => `- ${prompt}`).join('\n') };
  const filled = (text: string): string =>
    text.replaceAll(/\{message\}|\{prompts\}/g, (name) => values[name as keyof typeof values]);
  return JSON.parse(JSON.stringify(anyOther), (_, value) => (typeof value === 'string' ? filled(value) : value));
}
