import * as z from 'zod';
import { type OutputSchema, strictObject } from '../../models/model';
import { labelInText, labelsInLine } from '../../prompting/label-in-text';
import { lenientText, lenientTexts, objectInReply } from '../../prompting/lenient-json';

/** One list the arbiter is asked for before it writes, and its heading in the explanation. */
export interface AnalysisPart {
  readonly key: string;
  readonly title: string;
  /** What belongs in it, in the words of the prompt. */
  readonly ask: string;
  /** Whether each point comes with a ruling on it. */
  readonly rulings?: true;
}

/** What most analyses ask for besides. */
export const CONFLICTS: AnalysisPart = { key: 'conflicts', title: 'Conflicts', ask: 'what is disputed', rulings: true };

/** What an analysis holds, by strategy. `winner` and `order` are labels. */
export interface AnalysisForm {
  /** What the prompt calls one of the texts: candidate, opinion, … */
  readonly noun: string;
  /** Whether one of them is to be named the best. */
  readonly ranked: boolean;
  readonly parts: readonly AnalysisPart[];
}

/** The arbiter's comparison of the texts, by label. */
export interface Analysis {
  readonly winner: string | null;
  /** Labels from best to worst; empty when not ranked. */
  readonly order: readonly string[];
  /** By the form's keys; lists that were not given are empty. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
  readonly rationale: string;
}

/** Reads an analysis from a model's reply, leniently; undefined when it says nothing. */
export function parseAnalysis(reply: string, form: AnalysisForm): Analysis | undefined {
  const keys = ['winner', 'order', 'rationale', ...form.parts.map(({ key }) => key)];
  const parsed = schema.safeParse(objectInReply(reply, keys));
  if (!parsed.success) return undefined;
  const { winner, order, rationale, ...rest } = parsed.data;
  const lists = Object.fromEntries(form.parts.map(({ key }) => [key, points.parse(rest[key])]));
  const silent = rationale === '' && winner === null && Object.values(lists).every(({ length }) => length === 0);
  return silent ? undefined : { winner, order, rationale, lists };
}

/** The shape asked for, as the prompt shows it. */
export function analysisShape({ noun, ranked, parts }: AnalysisForm): string {
  const fields = [
    ...(ranked ? [`"winner": label of the best ${noun} or null`, `"order": all labels from best to worst`] : []),
    ...parts.map(({ key, ask, rulings }) =>
      rulings ? `"${key}": [{"point": ${ask}, "ruling": what is right and why}]` : `"${key}": ${ask}`,
    ),
    '"rationale": your judgement in at most 150 words',
  ];
  return `{${fields.join(', ')}}`;
}

/** The same shape, for providers that can hold a model to it. No winner is an empty text there. */
export function analysisSchema({ ranked, parts }: AnalysisForm): OutputSchema {
  const lists = parts.map(({ key, rulings }) => [key, { type: 'array', items: rulings ? RULING : TEXT }]);
  return {
    name: 'analysis',
    schema: strictObject({
      ...(ranked && { winner: TEXT, order: { type: 'array', items: TEXT } }),
      ...Object.fromEntries(lists),
      rationale: TEXT,
    }),
  };
}

const TEXT = { type: 'string' };
const RULING = strictObject({ point: TEXT, ruling: TEXT });

/** How models say that nobody wins where a text is asked for. */
const NOBODY = /^(?:null|none|nobody|neither|no winner|tie|tied|draw|both|undecided|n\/a|-)?\.?$/i;

/** Made once: a schema for each form would take as long as the rest of a run. */
const schema = z.looseObject({
  winner: z
    .string()
    .trim()
    .transform((said) => (NOBODY.test(said) ? null : (labelInText(said) ?? said)))
    .nullable()
    .catch(null),
  order: z.union([
    z.string().transform(labelsInLine),
    z.array(z.string().transform((said) => labelInText(said) ?? said)).catch([]),
  ]),
  rationale: lenientText,
});
const points = lenientTexts.optional().default([]);
