import { type OutputSchema, strictObject } from '../../../models/model';
import { compatibilityForm } from '../../../prompting/compatibility-form';
import { itemsOf, listInReply, objectInReply, textOf, textsOf } from '../../../prompting/json-in-reply';
import { approves, foundNothing } from '../../../prompting/remarks';

const TEXT = { type: 'string' };
const TEXTS = { type: 'array', items: TEXT };

export interface WorkPlan {
  readonly items: readonly { readonly title: string; readonly task: string }[];
  /** Made once for all parts: names, interfaces, terms, style. */
  readonly decisions: readonly string[];
  readonly checks: readonly string[];
}

/** A plan for providers that can hold a model to it. */
export const PLAN_SCHEMA: OutputSchema = {
  name: 'plan',
  schema: strictObject({
    items: { type: 'array', items: strictObject({ title: TEXT, task: TEXT }) },
    decisions: TEXTS,
    checks: TEXTS,
  }),
};

const TITLE_MAX = 80;

/** The plan in a reply; items beyond `itemsMax` are joined to the last one. Undefined when the reply holds no work. */
export function parseWorkPlan(reply: string, itemsMax: number): WorkPlan | undefined {
  const found = listInReply(reply, { list: 'items', items: ['task', 'title'] });
  const items = (itemsOf(found?.['items'], ['title', 'task'], 'task') ?? [])
    .filter(({ title, task }) => title || task)
    .map(({ title, task }) => ({ title: titleOf(title || task), task: task || title }));
  if (items.length === 0) return undefined;
  const last = items.splice(itemsMax - 1);
  const title = titleOf(last.map((item) => item.title).join('; '));
  if (last.length > 0) items.push({ title, task: last.map(({ task }) => task).join('\n') });
  return { items, decisions: textsOf(found?.['decisions']), checks: textsOf(found?.['checks']) };
}

function titleOf(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, TITLE_MAX).toWellFormed();
}

export interface WorkReview {
  readonly approved: boolean;
  /** Item's number from 1; `plan` for the plan itself, `all` for every item. */
  readonly defects: readonly { readonly item: number | 'plan' | 'all'; readonly text: string }[];
}

/** A review for providers that can hold a model to it; an item is a text there, as it may be a number or a word. */
export const REVIEW_SCHEMA: OutputSchema = {
  name: 'review',
  schema: strictObject({
    verdict: { ...TEXT, enum: ['approve', 'revise'] },
    defects: {
      type: 'array',
      items: strictObject({ item: TEXT, severity: { ...TEXT, enum: ['major', 'minor'] }, defect: TEXT }),
    },
  }),
};

/** `2`, `part 2`, `Item #2: the law`, `２`, `all parts`; anything else concerns the plan. */
const NUMBERED = /^(?:the )?(?:part|item|section|answer|step|no\.?|number)?s?[\s#:(]*(\d{1,2})(?![\d.]\d|\d)/;
const EVERY = /^(?:all|every|each|both|any)\b/;

function itemOf(said: unknown): number | 'plan' | 'all' {
  if (typeof said === 'number') return Number.isInteger(said) && said > 0 ? said : 'plan';
  const plain = compatibilityForm(textOf(said).slice(0, 80))
    .toLowerCase()
    .replace(/[*_`"'“”]+/g, '')
    .trim();
  const number = Number(NUMBERED.exec(plain)?.[1] ?? 0);
  if (number > 0) return number;
  return EVERY.test(plain) ? 'all' : 'plan';
}

const BEGINS_APPROVING = /^\W*(?:approved?|lgtm)\b/i;
const APPROVED = /^\W*(?:approv|lgtm\b|accept|pass\b|passed\b|ok\b|looks good)/;

/** Reads a review from a reply. Prose is a review too: it approves, or is one defect of every item. */
export function parseWorkReview(reply: string): WorkReview {
  const found =
    objectInReply(reply, ['verdict', 'defects']) ?? listInReply(reply, { list: 'defects', items: ['defect'] });
  const listed: unknown[] = [found?.['defects']].flat();
  const texts = itemsOf(listed, ['severity', 'defect'], 'defect') ?? [];
  const defects = texts.flatMap(({ severity, defect }, index) => {
    const entry = listed[index];
    const item = typeof entry === 'string' ? 'all' : itemOf((entry as { item?: unknown } | null | undefined)?.item);
    return defect === '' ? [] : [{ item, text: severity === '' ? defect : `${severity}: ${defect}` }];
  });
  const verdict = textOf(found?.['verdict']).toLowerCase();
  if (verdict !== '' || defects.length > 0)
    return { approved: APPROVED.test(verdict) || defects.length === 0, defects };
  const isEmpty = found !== undefined && Array.isArray(found['defects']) && found['defects'].length === 0;
  const approved = isEmpty || BEGINS_APPROVING.test(reply) || approves(reply) || foundNothing(reply);
  return { approved, defects: approved ? [] : [{ item: 'all', text: reply.trim() }] };
}
