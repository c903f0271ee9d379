/** A step from one list to another: an item is taken over, taken from the new one, or left out of the old one. */
export type EditStep = 'same' | 'added' | 'removed';

/** The reach of each diagonal into the old list: a diagonal is a place there minus one in the new list. */
type Reached = Int32Array;

/**
 * The fewest steps that make one list of words from another (Myers 1986); undefined where more than so many words would be
 * added and removed.
 */
export function shortestEdit(
  before: readonly string[],
  after: readonly string[],
  editsMax: number,
): EditStep[] | undefined {
  const all: Reached[] = [];
  let last: Reached = new Int32Array(3);
  for (let edits = 0; edits <= editsMax; edits += 1) {
    const now = new Int32Array(2 * edits + 3);
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = edits === 0 ? 0 : startOf(last, diagonal, edits);
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1;
      now[diagonal + edits + 1] = x;
      if (x >= before.length && x - diagonal >= after.length) return stepsBack(all, before.length, after.length);
    }
    all.push(now);
    last = now;
  }
  return undefined;
}

/** The place where a diagonal begins after one more edit. */
function startOf(last: Reached, diagonal: number, edits: number): number {
  return isAdded(last, diagonal, edits) ? reach(last, diagonal + 1, edits) : reach(last, diagonal - 1, edits) + 1;
}

/** True if the last edit before a diagonal is an added word, and not a removed one. */
function isAdded(last: Reached, diagonal: number, edits: number): boolean {
  if (diagonal === -edits) return true;
  return diagonal !== edits && reach(last, diagonal - 1, edits) < reach(last, diagonal + 1, edits);
}

/** The reach of a diagonal one edit before. */
function reach(last: Reached, diagonal: number, edits: number): number {
  return last[diagonal + edits] ?? 0;
}

function stepsBack(all: readonly Reached[], oldLength: number, newLength: number): EditStep[] {
  const steps: EditStep[] = [];
  let [x, y] = [oldLength, newLength];
  for (let edits = all.length; edits > 0; edits -= 1) {
    const last = all[edits - 1] ?? new Int32Array();
    const added = isAdded(last, x - y, edits);
    const from = startOf(last, x - y, edits);
    for (; x > from; x -= 1, y -= 1) steps.push('same');
    steps.push(added ? 'added' : 'removed');
    if (added) y -= 1;
    else x -= 1;
  }
  for (; x > 0; x -= 1) steps.push('same');
  return steps.reverse();
}
