import * as z from 'zod';
import { lenientText, lenientTexts, objectInReply } from '../../../prompting/lenient-json';

/** One piece of work, small enough for one implementer. */
export interface WorkItem {
  readonly title: string;
  readonly task: string;
}

/** How the strategist divides the work, and what the result must satisfy. */
export interface WorkPlan {
  readonly items: readonly WorkItem[];
  readonly checks: readonly string[];
}

const TITLE_MAX = 80;

const item = z.union([
  z.string().transform((task) => ({ title: '', task: task.trim() })),
  z.object({ title: lenientText, task: lenientText }),
  z.unknown().transform(() => ({ title: '', task: '' })),
]);
const schema = z.object({ items: z.array(item), checks: lenientTexts.optional().default([]) });

/** The plan in a reply; items beyond `itemsMax` are joined to the last one. Undefined when the reply holds no work. */
export function parseWorkPlan(reply: string, itemsMax: number): WorkPlan | undefined {
  const parsed = schema.safeParse(objectInReply(reply));
  if (!parsed.success) return undefined;
  const items = parsed.data.items.filter(({ title, task }) => title !== '' || task !== '').map(complete);
  const kept = items.slice(0, itemsMax - 1);
  const last = items.slice(itemsMax - 1);
  if (last.length > 0) kept.push(joined(last));
  return kept.length === 0 ? undefined : { items: kept, checks: parsed.data.checks };
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
