import { type SeededRandom, seededRandom } from '../seeded-random.ts';
import type { Checked, Difficulty, Task } from '../task.ts';
import { identityOf, type TaskOrder } from '../task-order.ts';
import { FACT_LISTS, type FactList, SAME } from './facts.ts';
import { readList } from './read-list.ts';

/** How many items are asked for. */
const LENGTHS: Readonly<Record<Difficulty, readonly number[]>> = { 1: [3, 4], 2: [5, 6, 7], 3: [8, 9, 10] };

/** A stretch of a list that is known well: right when all of it is there and nothing else. */
export function recallTask(order: TaskOrder, random: SeededRandom): Task {
  const { list, first, last } = stretchOf(order);
  const right = list.items.slice(first, last + 1);
  const before = list.items[first - 1];
  const behind = list.items[last + 1];
  const stranger = random.pick(list.items.filter((item) => !right.includes(item)));
  return {
    ...identityOf(order),
    language: 'en',
    prompt: `List ${list.ask(first, last)}, ${right.length} in all.\n\nWrite one name a line, in that order, and nothing else: no numbers, no remarks.`,
    expected: lines(right),
    wrong: [
      ...new Set(
        [[...right.slice(1), behind ?? stranger], [before ?? stranger, ...right.slice(0, -1)], right.slice(0, -1)].map(
          lines,
        ),
      ),
    ],
    check: async (answer) => checked(right, answer),
  };
}

interface Stretch {
  readonly list: FactList;
  readonly first: number;
  readonly last: number;
}

/** Each stretch once, in an order of the seed, before any comes again. */
function stretchOf({ seed, difficulty, number }: TaskOrder): Stretch {
  const all = FACT_LISTS.flatMap((list) =>
    LENGTHS[difficulty].flatMap((length) =>
      Array.from(
        { length: list.items.length - length + 1 },
        (_, first): Stretch => ({ list, first, last: first + length - 1 }),
      ),
    ),
  );
  return seededRandom(`${seed} recall ${difficulty}`).shuffle(all)[(number - 1) % all.length] as Stretch;
}

function lines(items: readonly string[]): string {
  return items.map((item) => item.replace(/(?<![\p{L}'])\p{L}/gu, (first) => first.toUpperCase())).join('\n');
}

function checked(right: readonly string[], answer: string): Checked {
  const { items, otherLines } = readList(answer);
  const named = items.map((item) => (right.includes(item) ? item : (SAME[item] ?? item)));
  const falseFacts = new Set(named.filter((item) => !right.includes(item))).size;
  return {
    isRight: falseFacts === 0 && right.every((item) => named.includes(item)),
    hasForm:
      otherLines === 0 && items.length === right.length && items.every((item, at) => answerLines(answer)[at] === item),
    falseFacts,
    comesTo: [...new Set(named)].sort().join('\n'),
  };
}

/** The lines as they stand, for the form: nothing was to stand beside a name. */
function answerLines(answer: string): string[] {
  return answer
    .trim()
    .split('\n')
    .map((line) => line.trim().toLowerCase());
}
