import * as z from 'zod';
import { type OutputSchema, strictObject } from '../../../models/model';
import { compatibilityForm } from '../../../prompting/compatibility-form';
import { lenientText, listInReply, objectInReply } from '../../../prompting/lenient-json';
import { approves, foundNothing } from '../../../prompting/remarks';

/** Something a reviewer wants changed. */
export interface Defect {
  /** The item's number from 1; `plan` for the plan itself, `all` for every item. */
  readonly item: number | 'plan' | 'all';
  readonly text: string;
}

/** A review of all parts. */
export interface WorkReview {
  readonly approved: boolean;
  readonly defects: readonly Defect[];
}

/** A review for providers that can hold a model to it; an item is a text there, as it may be a number or a word. */
export const REVIEW_SCHEMA: OutputSchema = {
  name: 'review',
  schema: strictObject({
    verdict: { type: 'string', enum: ['approve', 'revise'] },
    defects: {
      type: 'array',
      items: strictObject({
        item: { type: 'string' },
        severity: { type: 'string', enum: ['major', 'minor'] },
        defect: { type: 'string' },
      }),
    },
  }),
};

/** `2`, `part 2`, `Item #2: the law`, `２`, `all parts`; anything else concerns the plan. */
const NUMBERED = /^(?:the )?(?:part|item|section|answer|step|no\.?|number)?s?[\s#:(]*(\d{1,2})(?![\d.]\d|\d)/;
const EVERY = /^(?:all|every|each|both|any)\b/;

function itemOf(said: unknown): Defect['item'] {
  if (typeof said === 'number') return Number.isInteger(said) && said > 0 ? said : 'plan';
  if (typeof said !== 'string') return 'plan';
  const plain = compatibilityForm(said.slice(0, 80))
    .toLowerCase()
    .replace(/[*_`"'“”]+/g, '')
    .trim();
  const number = Number(NUMBERED.exec(plain)?.[1] ?? 0);
  if (number > 0) return number;
  return EVERY.test(plain) ? 'all' : 'plan';
}

const graded = z
  .object({
    item: z.unknown().optional().transform(itemOf),
    severity: lenientText,
    defect: lenientText,
  })
  .transform(
    ({ item, severity, defect: text }): Defect => ({
      item,
      text: severity === '' || text === '' ? text : `${severity}: ${text}`,
    }),
  );
const NO_DEFECT: Defect = { item: 'all', text: '' };
const defect = z
  .union([z.string().transform((text): Defect => ({ item: 'all', text: text.trim() })), graded])
  .catch(NO_DEFECT);
const listed = z
  .unknown()
  .optional()
  .transform((value): unknown[] => (Array.isArray(value) ? value : [value]));
const schema = z.object({ verdict: lenientText, defects: listed.pipe(z.array(defect)) });

/** Reads a review from a reply. Prose is a review too: it approves, or is one defect of every item. */
export function parseWorkReview(reply: string): WorkReview {
  const found =
    objectInReply(reply, ['verdict', 'defects']) ?? listInReply(reply, { list: 'defects', items: ['defect'] });
  const parsed = schema.safeParse(found);
  const verdict = parsed.data?.verdict.toLowerCase() ?? '';
  const defects = parsed.data?.defects.filter(({ text }) => text !== '') ?? [];
  if (verdict === '' && defects.length === 0) {
    const approved = isEmptyList(found) || BEGINS_APPROVING.test(reply) || approves(reply) || foundNothing(reply);
    return { approved, defects: approved ? [] : [{ item: 'all', text: reply.trim() }] };
  }
  return { approved: APPROVED.test(verdict) || defects.length === 0, defects };
}

const BEGINS_APPROVING = /^\W*(?:approved?|lgtm)\b/i;
const APPROVED = /^\W*(?:approv|lgtm\b|accept|pass\b|passed\b|ok\b|looks good)/;

function isEmptyList(found: { readonly [key: string]: unknown } | undefined): boolean {
  const list = found?.['defects'];
  return Array.isArray(list) && list.length === 0;
}

/** The defects that concern one item, as lines. */
export function defectsOf({ defects }: WorkReview, item: number): string[] {
  return defects.filter((found) => found.item === item || found.item === 'all').map(({ text }) => text);
}

/** The defects of the plan itself, as lines. */
export function planDefectsOf({ defects }: WorkReview): string[] {
  return defects.filter(({ item }) => item === 'plan').map(({ text }) => text);
}
