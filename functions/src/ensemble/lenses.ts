import * as z from 'zod';
import { lenientText, objectInReply } from './json-in-reply';
import { type Lens, STANDARD_LENSES } from './prompts/expert-panel';

const NAME_MAX = 60;
const FOCUS_MAX = 300;

const casting = z.object({
  lenses: z.array(z.object({ name: lenientText, focus: lenientText }).catch({ name: '', focus: '' })),
});

/**
 * As many lenses as there are experts, all with different names: those the arbiter cast, filled up with standard
 * ones. Empty when its reply names nobody.
 */
export function parseLenses(reply: string, count: number): Lens[] {
  const parsed = casting.safeParse(objectInReply(reply));
  const cast = parsed.success ? parsed.data.lenses.map(tidy).filter(({ name }) => name !== '') : [];
  return cast.length === 0 ? [] : distinct([...cast, ...STANDARD_LENSES]).slice(0, count);
}

/** Names become titles of fences: one line, no angle brackets. */
function tidy({ name, focus }: Lens): Lens {
  return { name: oneLine(name, NAME_MAX), focus: oneLine(focus, FOCUS_MAX) || 'What it shows.' };
}

function oneLine(text: string, max: number): string {
  return text
    .replace(/[\s<>\p{C}]+/gu, ' ')
    .trim()
    .slice(0, max)
    .replace(/\p{Cs}$/u, '')
    .trim();
}

function distinct(lenses: readonly Lens[]): Lens[] {
  const first = new Map<string, Lens>();
  for (const lens of lenses) {
    const name = lens.name.toLowerCase();
    if (!first.has(name)) first.set(name, lens);
  }
  return [...first.values()];
}
