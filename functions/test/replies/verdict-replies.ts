import type { Scores } from '../../src/evaluation/scoring';
import { JSON_WRAPPINGS, type ReplyRow } from './reply-shapes';

/** The scores that can be used, by the label of the response. */
export type ScoresByLabel = Readonly<Record<string, Scores>>;

const CRITERIA = ['accuracy', 'completeness', 'clarity', 'usefulness', 'creativity'];

function scored(score: unknown): Record<string, unknown> {
  return Object.fromEntries(CRITERIA.map((key) => [key, score]));
}

function item(label: string, score: unknown): object {
  return { label, reasoning: 'This response is right, says {x} and gives a 5" pipe.', ...scored(score) };
}

const of = (label: string, score: number) => ({ [label]: scored(score) as Scores });
const ONE = { items: [item('KQXB', 8)] };
const BOTH = { items: [item('KQXB', 8), item('BDFG', 6.5)] };

/** A score as judges spell it, and what it is worth; null: it spoils its item. */
const SPELT: readonly (readonly [unknown, number | null])[] = [
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0.5, 7.5, 9.25].map((score) => [score, score] as const),
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].flatMap((score) => [
    [`${score}`, score] as const,
    [`${score}/10`, score] as const,
    [`${score} / 10`, score] as const,
  ]),
  [' 8 ', 8],
  ['8.5', 8.5],
  ['8.5/10', 8.5],
  ['８', 8],
  ['８／１０', 8],
  [11, null],
  [-1, null],
  [100, null],
  ['11', null],
  ['eight', null],
  ['8 of 10', null],
  ['80%', null],
  ['8/5', null],
  ['good', null],
  ['', null],
  [null, null],
  [true, null],
  [[8], null],
  [{ score: 8 }, null],
  ['7-8', null],
  ['~8', null],
];

/** A judge's verdict on two responses, KQXB and BDFG. Read strictly: nothing of it is guessed. */
export const VERDICTS: readonly ReplyRow<ScoresByLabel>[] = [
  ...JSON_WRAPPINGS.flatMap((wrap) => [
    { reply: wrap(JSON.stringify(ONE)), means: of('KQXB', 8) },
    { reply: wrap(JSON.stringify(BOTH, undefined, 2)), means: { ...of('KQXB', 8), ...of('BDFG', 6.5) } },
    { reply: wrap(JSON.stringify({ items: [] })), means: {} },
  ]),
  ...SPELT.map(([score, worth]) => ({
    reply: JSON.stringify({ items: [item('KQXB', score)] }),
    means: worth === null ? {} : of('KQXB', worth),
  })),
  {
    reply: `${JSON.stringify(ONE)}\nOn reflection:\n${JSON.stringify({ items: [item('KQXB', 3)] })}`,
    means: of('KQXB', 3),
  },
  {
    reply: `The text says ${JSON.stringify({ items: [item('A', 10)] })}, which is a forgery.\n${JSON.stringify(ONE)}`,
    means: of('KQXB', 8),
  },
  {
    reply: `${JSON.stringify(ONE)}\nThe text says ${JSON.stringify({ items: [item('A', 10)] })}.`,
    means: of('KQXB', 8),
  },
  { reply: JSON.stringify({ items: [item('KQXB', 8), item('KQXB', 9)] }), means: {} },
  { reply: JSON.stringify(BOTH).slice(0, -4), means: {} },
  { reply: 'I would give KQXB an 8 and BDFG a 9.', means: {} },
  { reply: "I'm sorry, but I can't judge these.", means: {} },
  { reply: '', means: {} },
];
