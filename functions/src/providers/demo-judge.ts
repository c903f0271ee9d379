import { crc32 } from 'node:zlib';
import type { ProviderCall } from '../models/model';
import { fieldsOf, textOf } from './json-fields';

/** What a judge's prompt shows, as far as a demo judge looks. */
interface Material {
  readonly prompt: string;
  readonly responses: readonly unknown[];
}

/** Things that can be counted in a response without understanding it. */
interface Features {
  readonly words: number;
  readonly topicWords: number;
  readonly topicWordsUsed: number;
  readonly isStructured: boolean;
}

/** Where the leaning of each criterion lies: a demo judge knows no more of them than that. */
const LIKES_TOPIC = new Set(['accuracy', 'completeness', 'usefulness', 'evidenceQuality', 'threatCoverage']);
const LIKES_STRUCTURE = new Set(['clarity', 'actionability', 'prioritization', 'reasoningTransparency']);

/** A demo model's verdict: deterministic, believable at first sight, and open about being none. */
export function demoVerdict(call: ProviderCall): string {
  const { prompt, responses } = materialOf(call);
  const criteria = criteriaOf(call);
  const items = responses.map((shown) => {
    const { label, response } = fieldsOf<'label' | 'response'>(shown);
    const features = featuresOf(textOf(response), prompt);
    const scores = criteria.map((key) => [
      key,
      scoreOf(key, features, `${call.providerModel}\n${key}\n${textOf(response)}`),
    ]);
    return { label, reasoning: reasoningOf(features), change: '', ...Object.fromEntries(scores) };
  });
  return JSON.stringify({ items });
}

function reasoningOf({ words, topicWords, topicWordsUsed, isStructured }: Features): string {
  const form = isStructured ? 'in ordered points' : 'in running text';
  return `This response takes up ${topicWordsUsed} of ${topicWords} key words of the prompt, ${form}; its length in words is ${words}. (Scripted demo verdict: no language model was called.)`;
}

/** Half points from 3 to 10: something for the topic, for structure, for enough words, and a point of taste. */
function scoreOf(key: string, features: Features, taste: string): number {
  const topic = features.topicWords === 0 ? 0.5 : features.topicWordsUsed / features.topicWords;
  const length = Math.min(1, features.words / 60);
  const structure = features.isStructured ? 1 : 0;
  const points =
    4 +
    topic * (LIKES_TOPIC.has(key) ? 3 : 1) +
    structure * (LIKES_STRUCTURE.has(key) ? 2 : 0.5) +
    length * 1.5 +
    ((crc32(taste) % 5) - 2) / 2;
  return Math.min(10, Math.round(points * 2) / 2);
}

function featuresOf(response: string, prompt: string): Features {
  const used = new Set(wordsOf(response));
  const topic = [...new Set(wordsOf(prompt))].filter((word) => word.length > 3);
  return {
    words: wordsOf(response).length,
    topicWords: topic.length,
    topicWordsUsed: topic.filter((word) => used.has(word)).length,
    isStructured: /^\s*(?:\d+[.)]|[-*•])\s/m.test(response),
  };
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The one line of JSON in the prompt. */
function materialOf({ prompt }: ProviderCall): Material {
  const line = (prompt.turns.at(-1)?.text ?? '').split('\n').find((text) => text.startsWith('{"prompt":'));
  const material = fieldsOf<'prompt' | 'responses'>(JSON.parse(line ?? '{}'));
  return {
    prompt: textOf(material.prompt),
    responses: Array.isArray(material.responses) ? material.responses : [],
  };
}

/** The numbers that the verdict's schema asks for. */
function criteriaOf({ outputSchema }: ProviderCall): string[] {
  const { items } = fieldsOf<'items'>(fieldsOf<'properties'>(outputSchema?.schema).properties);
  const { properties } = fieldsOf<'properties'>(fieldsOf<'items'>(items).items);
  return Object.entries(fieldsOf(properties)).flatMap(([key, rule]) =>
    fieldsOf<'type'>(rule).type === 'number' ? [key] : [],
  );
}
