import * as z from 'zod';
import { lenientText, objectInReply } from '../../../prompting/lenient-json';

/** Something a reviewer wants changed. */
export interface Defect {
  /** The item's number from 1; `plan` for the plan itself, `all` for every item. */
  readonly item: number | 'plan' | 'all';
  readonly text: string;
}

/** What the reviewer found. */
export interface WorkReview {
  readonly approved: boolean;
  readonly defects: readonly Defect[];
}

const itemNumber = z.union([z.int().positive(), z.stringFormat('number', /^\d{1,2}$/).transform(Number)]);
const graded = z
  .object({
    item: z.union([itemNumber, z.literal(['all', 'plan'])]).catch('plan'),
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

/** What a reviewer's reply amounts to. Prose is a review too: it approves, or is one defect of every item. */
export function parseWorkReview(reply: string): WorkReview {
  const parsed = schema.safeParse(objectInReply(reply));
  const verdict = parsed.data?.verdict.toLowerCase() ?? '';
  const defects = parsed.data?.defects.filter(({ text }) => text !== '') ?? [];
  if (verdict === '' && defects.length === 0) {
    const approved = /^\W*(?:approved?|lgtm)\b/i.test(reply);
    return { approved, defects: approved ? [] : [{ item: 'all', text: reply.trim() }] };
  }
  return { approved: verdict.startsWith('approve') || defects.length === 0, defects };
}

/** The defects that concern one item, as lines. */
export function defectsOf({ defects }: WorkReview, item: number): string[] {
  return defects.filter((found) => found.item === item || found.item === 'all').map(({ text }) => text);
}

/** The defects of the plan itself, as lines. */
export function planDefectsOf({ defects }: WorkReview): string[] {
  return defects.filter(({ item }) => item === 'plan').map(({ text }) => text);
}
