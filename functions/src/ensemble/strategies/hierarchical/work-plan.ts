import * as z from 'zod';
import { type OutputSchema, strictObject } from '../../../models/model';
import { lenientText, lenientTexts, listInReply } from '../../../prompting/lenient-json';

/** One piece of work, small enough for one implementer. */
export interface WorkItem {
  readonly title: string;
  readonly task: string;
}

/** Division of the work, with the decisions for all parts and the checks of the result. */
export interface WorkPlan {
  readonly items: readonly WorkItem[];
  /** Made once for all parts: names, interfaces, terms, style. */
  readonly decisions: readonly string[];
  readonly checks: readonly string[];
}

/** A plan that others work by, and the seat whose it is. */
export interface SharedPlan extends WorkPlan {
  readonly by: string;
}

/** A plan for providers that can hold a model to it. */
export const PLAN_SCHEMA: OutputSchema = {
  name: 'plan',
  schema: strictObject({
    items: { type: 'array', items: strictObject({ title: { type: 'string' }, task: { type: 'string' } }) },
    decisions: { type: 'array', items: { type: 'string' } },
    checks: { type: 'array', items: { type: 'string' } },
  }),
};

const TITLE_MAX = 80;

const item = z.union([
  z.string().transform((task) => ({ title: '', task: task.trim() })),
  z.object({ title: lenientText, task: lenientText }),
  z.unknown().transform(() => ({ title: '', task: '' })),
]);
const texts = lenientTexts.optional().default([]);
const schema = z.object({ items: z.array(item), decisions: texts, checks: texts });

/** The plan in a reply; items beyond `itemsMax` are joined to the last one. Undefined when the reply holds no work. */
export function parseWorkPlan(reply: string, itemsMax: number): WorkPlan | undefined {
  const parsed = schema.safeParse(listInReply(reply, { list: 'items', items: ['task', 'title'] }));
  if (!parsed.success) return undefined;
  const items = parsed.data.items.filter(({ title, task }) => title !== '' || task !== '').map(complete);
  const kept = items.slice(0, itemsMax - 1);
  const last = items.slice(itemsMax - 1);
  if (last.length > 0) kept.push(joined(last));
  const { decisions, checks } = parsed.data;
  return kept.length === 0 ? undefined : { items: kept, decisions, checks };
}

/** A plan as those who work by it read it: `mask` hides who made it. */
export function maskedPlan({ items, decisions, checks }: WorkPlan, mask: (text: string) => string): WorkPlan {
  return {
    items: items.map(({ title, task }) => ({ title: mask(title), task: mask(task) })),
    decisions: decisions.map(mask),
    checks: checks.map(mask),
  };
}

function complete({ title, task }: WorkItem): WorkItem {
  return { title: (title || task).replace(/\s+/g, ' ').slice(0, TITLE_MAX).toWellFormed(), task: task || title };
}

function joined(items: readonly WorkItem[]): WorkItem {
  return {
    title: items
      .map(({ title }) => title)
      .join('; ')
      .slice(0, TITLE_MAX)
      .toWellFormed(),
    task: items.map(({ task }) => task).join('\n'),
  };
}
