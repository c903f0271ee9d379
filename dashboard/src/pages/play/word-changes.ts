import { type EditStep, shortestEdit } from './shortest-edit';

/** A piece of two texts: in both, only in the new one, or only in the old one. */
export interface Change {
  readonly text: string;
  readonly is: EditStep;
}

/** The largest number of edits: a text that differs more is another one, and takes long to be compared. */
const EDITS_MAX = 1_000;
const WORD = /\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;

/** The changes to the words of a text; undefined: too much has changed to be shown. */
export function wordChanges(before: string, after: string): readonly Change[] | undefined {
  const [old, now] = [before, after].map((text) => text.match(WORD) ?? []);
  if (!old || !now) return undefined;
  const start = commonLength(old, now);
  const end = commonLength(old.slice(start).reverse(), now.slice(start).reverse());
  const edit = shortestEdit(old.slice(start, old.length - end), now.slice(start, now.length - end), EDITS_MAX);
  if (!edit) return undefined;
  const same = (length: number): EditStep[] => Array<EditStep>(length).fill('same');
  return joined([...same(start), ...edit, ...same(end)], old, now);
}

/** Number of words that two texts begin with alike. */
function commonLength(old: readonly string[], now: readonly string[]): number {
  const length = old.findIndex((word, at) => word !== now[at]);
  return length < 0 ? old.length : length;
}

function joined(steps: readonly EditStep[], old: readonly string[], now: readonly string[]): Change[] {
  const changes: { text: string; is: EditStep }[] = [];
  let [x, y] = [0, 0];
  for (const is of steps) {
    const word = (is === 'removed' ? old[x] : now[y]) ?? '';
    if (is !== 'added') x += 1;
    if (is !== 'removed') y += 1;
    const last = changes.at(-1);
    if (last?.is === is) last.text += word;
    else changes.push({ text: word, is });
  }
  return changes;
}
