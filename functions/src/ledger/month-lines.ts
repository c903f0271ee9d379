import { linesById } from './consumption';
import type { UsageLine } from './usage-store';

/** Models, and keys, that one user's month tells apart. Ids are free text, and anybody may invent a million. */
const LINES_MAX = 200;

/** The line of everything beyond them. A model that is called so is counted with the others. */
export const OTHER_ID = 'other';

/** Name of the line of the others, by kind of line. */
export type OtherName = 'Other models' | 'Other keys';

/** The ids that have a line of their own in a month; `OTHER_ID` is none of them. */
export type ListedIds = Pick<ReadonlySet<string>, 'has' | 'size'>;

/**
 * The lines under which a month counts these: each under its own id while there is room, all further ones together as
 * `OTHER_ID`. First come, first listed, and for good: a listed id keeps its line, and one that found the month full is
 * among the others until the month ends. So which line an id is in never changes, and sums over lines stay exact.
 */
export function capLines(lines: readonly UsageLine[], listed: ListedIds, otherName: OtherName): UsageLine[] {
  let size = listed.size;
  const placed = lines.map((line) => {
    if (line.id !== OTHER_ID && listed.has(line.id)) return line;
    if (line.id === OTHER_ID || size >= LINES_MAX) return { ...line, id: OTHER_ID, name: otherName };
    size += 1;
    return line;
  });
  return linesById(placed);
}
