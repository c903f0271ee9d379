import { crc32 } from 'node:zlib';
import type { ProviderCall } from '../../models/model';
import { lastTurnOf } from './demo-prompt';
import { authorOf, isRevised, scriptIn, voicesIn } from './demo-scripts';
import { type Topic, topicAbout } from './topics/topics';

const NOTE = 'Scripted demo verdict: no language model was called.';

/** Part of a judge's material that is read here. */
interface Material {
  readonly prompt?: string;
  readonly responses?: readonly { readonly label: string; readonly response: string }[];
}

/** Opinion on a response: scores by criterion, `rest` for those without their own, and why. */
interface Opinion {
  readonly scores: Readonly<Record<string, number>> & { readonly rest: number };
  readonly why: string;
}

/** Criterion a judge looks at first, and its distance from the others. */
interface Taste {
  readonly words: string;
  readonly shifts: Readonly<Record<string, number>>;
  /** Added to every score. */
  readonly all: number;
}

const PLAIN_TASTE: Taste = { words: 'I weigh all criteria alike.', shifts: {}, all: 0 };
const TASTES: Readonly<Record<string, Taste>> = {
  'demo-ada': { words: 'I look first at whether it is right.', shifts: { accuracy: 1, creativity: -1 }, all: 0 },
  'demo-blaise': {
    words: 'I look first at what one can do with it.',
    shifts: { usefulness: 1, clarity: -1 },
    all: -0.5,
  },
  'demo-curie': { words: 'I look first at what it leaves out.', shifts: { completeness: -1, accuracy: 0.5 }, all: 0.5 },
  'demo-dissenter': {
    words: 'I look for a thought of its own.',
    shifts: { creativity: 1.5, completeness: -1 },
    all: -2,
  },
};

/**
 * Scores in half points for every criterion asked for, with the same reasons each time: texts that the demo models
 * wrote are judged by what they say, others by their looks alone, which is said.
 */
export function verdict(call: ProviderCall): object {
  const lines = lastTurnOf(call).split('\n');
  const forms =
    lines
      .findLast((line) => line.startsWith('{"expected":'))
      ?.split('{"label":"<')
      .slice(1) ?? [];
  const material: Material = JSON.parse(lines.find((line) => line.startsWith('{"prompt":')) ?? '{}');
  const { prompt = '', responses = [] } = material;
  const topic = topicAbout(prompt);
  const taste = TASTES[call.providerModel] ?? PLAIN_TASTE;
  const verdicts = responses.map(({ label, response }) => {
    const opinion = (topic && opinionOf(response, topic)) ?? opinionByLooks(response, prompt);
    const seed = `${call.providerModel}\n${response}`;
    const form = forms.find((each) => each.split('>')[0]?.includes(label)) ?? '';
    const keys = form.match(/\w+(?=":<0-10>)/g) ?? [];
    const scores = keys.map((key) => [key, scoreOf(opinion, taste, { key, seed })]);
    const reasoning = `${opinion.why} ${taste.words} ${NOTE}`;
    return { ...Object.fromEntries(scores), label, reasoning, change: '' };
  });
  return { expected: topic ? `${topic.checks.join(' ')} ${NOTE}` : NOTE, items: verdicts };
}

/** Criteria of roles differ a little from each other, as nothing is known of them. */
function scoreOf({ scores }: Opinion, { shifts, all }: Taste, { key, seed }: { key: string; seed: string }): number {
  const own = scores[key] ?? scores.rest + (crc32(`${key}\n${seed}`) % 3) / 2;
  return Math.min(10, Math.max(0, Math.round((own + all + (shifts[key] ?? 0)) * 2) / 2));
}

/** Opinion on a text that demo models wrote, or an arbiter of theirs made from several; undefined for any other. */
function opinionOf(response: string, topic: Topic): Opinion | undefined {
  const script = scriptIn(response, topic);
  if (!script) return undefined;
  const sides = Math.min(voicesIn(response, topic).length, 3);
  const author = authorOf(response, topic);
  const isWhole = isRevised(response, topic);
  const added = isWhole ? 1 : 0;
  const isOwn = author === 'dissenter' || (author !== undefined && topic.best === author);
  return {
    scores: {
      accuracy: (author === 'dissenter' ? 5.5 : 7) + added,
      creativity: isOwn ? 8 : 6,
      clarity: 8.5 - sides / 2,
      completeness: 4.5 + sides + added,
      usefulness: 5.5 + sides / 2 + added,
      rest: 6 + added,
    },
    why: isWhole ? wholeWords(sides, topic) : script.flaw,
  };
}

function wholeWords(sides: number, { rationale }: Topic): string {
  return sides > 1 ? rationale : 'It states its case and deals with what the other side holds against it.';
}

const LOOKED_AT_CHARACTERS = 20_000;
const LONG_SENTENCE_WORDS = 25;

/** Opinion on a text that no script knows. */
function opinionByLooks(response: string, prompt: string): Opinion {
  const text = response.slice(0, LOOKED_AT_CHARACTERS);
  const words = wordsIn(text);
  const said = new Set(words);
  const asked = [...new Set(wordsIn(prompt.slice(0, LOOKED_AT_CHARACTERS)))].filter((word) => word.length > 3);
  const taken = asked.filter((word) => said.has(word)).length;
  const share = asked.length === 0 ? 0 : taken / asked.length;
  const sentences = Math.max(1, text.match(/[.!?。！？](?=\s|$)/g)?.length ?? 0);
  const isLong = words.length / sentences > LONG_SENTENCE_WORDS;
  return {
    scores: {
      accuracy: 5 + share,
      creativity: 4.5 + Math.min(2, said.size / 50),
      clarity: isLong ? 5.5 : 7.5,
      completeness: 3.5 + 2 * share + Math.min(3, sentences / 2),
      usefulness: 4 + share + Math.min(2, sentences / 2),
      rest: 5,
    },
    why: `This script knows nothing of the subject: it sees ${taken} of the ${asked.length} words that the prompt turns on, and a length of ${words.length} words in ${sentences} ${sentences === 1 ? 'sentence' : 'sentences'}.`,
  };
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
