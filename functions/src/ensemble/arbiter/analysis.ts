import * as z from 'zod';
import { type OutputSchema, strictObject } from '../../models/model';
import { objectInReply, textOf, textsOf } from '../../prompting/json-in-reply';
import { labelInText, labelsInLine } from '../../prompting/label-in-text';
import { MARKS } from '../../runs/trace-event';

/** One list the arbiter is asked for before it writes, and its heading in the explanation. */
export interface AnalysisPart {
  readonly key: string;
  readonly title: string;
  /** Content, in the words of the prompt. */
  readonly ask: string;
  /** Schema of a point that is no mere text; its fields are those that `ask` shows. */
  readonly item?: object;
}

const TEXT = { type: 'string' };

/** Parts that several analyses ask for. */
export const AGREEMENTS: AnalysisPart = { key: 'agreements', title: 'Agreed', ask: 'points all share' };
export const CONFLICTS: AnalysisPart = {
  key: 'conflicts',
  title: 'Conflicts',
  ask: '{"point": what is disputed, "why": the step or fact that settles it, "ruling": what is right}',
  item: strictObject({ point: TEXT, why: TEXT, ruling: TEXT }),
};
const UNIQUE: AnalysisPart = {
  key: 'unique',
  title: 'Unique points',
  ask: '{"label": the label of the only one that says it, "point": what it says, "mark": "confirmed", "plausible" or "likely invented"}',
  item: strictObject({ label: TEXT, point: TEXT, mark: { ...TEXT, enum: MARKS } }),
};
const DISSENT: AnalysisPart = { key: 'dissent', title: 'Dissent', ask: 'minority views worth mention' };
export const MISSING: AnalysisPart = { key: 'missing', title: 'Missing or wrong', ask: 'what all miss or get wrong' };

/** Parts of an analysis of whole answers. */
export const COMPARISON: readonly AnalysisPart[] = [AGREEMENTS, CONFLICTS, UNIQUE, DISSENT, MISSING];

/** Holds wherever several texts are compared. */
export const MAJORITY_RULE =
  'Agreement is evidence, not proof. Side with the minority only if you can name the step or fact the others lack or have wrong.';

/** Stands before the shape of a JSON reply that people will read parts of. */
export const LANGUAGE_RULE =
  "Keep its keys and quoted words in English; write the rest in the language of the user's message.";

/** Fields of an analysis, by strategy. `winner` and `order` are labels. */
export interface AnalysisForm {
  /** True if one of them is to be named the best. */
  readonly ranked: boolean;
  readonly parts: readonly AnalysisPart[];
}

/** The arbiter's comparison of the texts, by label. */
export interface Analysis {
  readonly winner: string | null;
  /** Labels from best to worst; empty when not ranked. */
  readonly order: readonly string[];
  /** Lists by the form's keys; those not given are empty. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
  /** The same lists as they were given, for who reads the fields of a point. */
  readonly items: Readonly<Record<string, readonly unknown[]>>;
  readonly rationale: string;
}

/** Reads an analysis from a model's reply, leniently; undefined when it says nothing. */
export function parseAnalysis(reply: string, form: AnalysisForm): Analysis | undefined {
  const keys = ['winner', 'order', 'rationale', ...form.parts.map(({ key }) => key)];
  const parsed = schema.safeParse(objectInReply(reply, keys));
  if (!parsed.success) return undefined;
  const { winner, order, rationale, ...rest } = parsed.data;
  const items = Object.fromEntries(form.parts.map(({ key }) => [key, [rest[key]].flat()]));
  const lists = Object.fromEntries(form.parts.map(({ key }) => [key, textsOf(rest[key])]));
  const silent = rationale === '' && winner === null && Object.values(lists).every(({ length }) => length === 0);
  return silent ? undefined : { winner, order, rationale, lists, items };
}

/** The shape asked for, as the prompt shows it: reasons before what follows from them. */
export function analysisShape({ ranked, parts }: AnalysisForm): string {
  const fields = [
    ...parts.map(({ key, ask }) => `"${key}": [${ask}]`),
    '"rationale": your judgement in at most 150 words',
    ...(ranked ? ['"order": all labels, best first', '"winner": label of the best or null'] : []),
  ];
  return `{${fields.join(', ')}}`;
}

/** The same shape, for providers that can hold a model to it. No winner is an empty text there. */
export function analysisSchema({ ranked, parts }: AnalysisForm): OutputSchema {
  const lists = parts.map(({ key, item = TEXT }) => [key, { type: 'array', items: item }]);
  return {
    name: 'analysis',
    schema: strictObject({
      ...Object.fromEntries(lists),
      rationale: TEXT,
      ...(ranked && { order: { type: 'array', items: TEXT }, winner: TEXT }),
    }),
  };
}

/** Words of models for "no winner". */
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
  rationale: z.unknown().optional().transform(textOf),
});
