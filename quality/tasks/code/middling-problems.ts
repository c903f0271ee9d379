import { type CodeProblem, someNumbers, someWord } from './code-problem.ts';

/** A rule with a catch. */
export const MIDDLING_PROBLEMS: readonly CodeProblem[] = [
  ...[2, 3, 4].map(packRuns),
  ...[2, 3, 4, 5].map(topWords),
  ...[5, 7, 12, 16].map(inBase),
  ...[1, 2, 3].map(longestClimb),
  ...[0, 1, 3, 5].map(joinRanges),
];

function packRuns(least: number): CodeProblem {
  return {
    name: 'packRuns',
    parameters: 'text',
    statement: `A run is a stretch of the same letter that is as long as possible. It returns the text with each run of at least ${least} letters replaced by the letter and the length of the run; shorter runs stay as they are.`,
    right: `function packRuns(text) {
  let packed = '';
  for (let at = 0; at < text.length; ) {
    let end = at;
    while (end < text.length && text[end] === text[at]) end++;
    packed += end - at >= ${least} ? text[at] + (end - at) : text.slice(at, end);
    at = end;
  }
  return packed;
}`,
    slips: [
      [`>= ${least}`, `> ${least}`],
      ['at = end;', 'at = end + 1;'],
    ],
    input: (random) => {
      const run = (): string => 'abc'.charAt(random.below(3)).repeat(random.between(1, 6));
      return [Array.from({ length: random.between(2, 6) }, run).join('')];
    },
    edges: [[''], ['a'.repeat(least)], ['b'.repeat(least - 1)], [`x${'y'.repeat(12)}`], [`${'z'.repeat(least)}y`]],
  };
}

function topWords(count: number): CodeProblem {
  return {
    name: 'topWords',
    parameters: 'text',
    statement: `Words are separated by single spaces. It returns the list of the ${count} words that occur most often, the most frequent first; of words that occur equally often, the one that comes first in the alphabet. If there are fewer different words, it returns all of them. An empty text has no words.`,
    right: `function topWords(text) {
  const counts = new Map();
  for (const word of text.split(' ')) if (word) counts.set(word, (counts.get(word) || 0) + 1);
  return [...counts.keys()]
    .sort((a, b) => counts.get(b) - counts.get(a) || (a < b ? -1 : 1))
    .slice(0, ${count});
}`,
    slips: [
      [' || (a < b ? -1 : 1)', ''],
      ['a < b ? -1 : 1', 'a < b ? 1 : -1'],
    ],
    input: (random) => [Array.from({ length: random.between(6, 14) }, () => someWord(random, 1)).join(' ')],
    edges: [[''], ['b a'], ['b b a a c d e f'], ['pear fig pear apple fig plum kiwi date']],
  };
}

function inBase(base: number): CodeProblem {
  return {
    name: 'inBase',
    parameters: 'number',
    statement: `It returns a whole number, which may be negative, written in base ${base} as a string. Digits beyond 9 are the small letters a, b, c and so on. A negative number begins with a minus sign.`,
    right: `function inBase(number) {
  let left = Math.abs(number);
  let digits = '';
  do {
    digits = '0123456789abcdefghijklmnopqrstuvwxyz'[left % ${base}] + digits;
    left = Math.floor(left / ${base});
  } while (left > 0);
  return number < 0 ? '-' + digits : digits;
}`,
    slips: [
      ['do {', 'while (left > 0) {'],
      ["number < 0 ? '-' + digits : digits", 'digits'],
    ],
    input: (random) => [random.between(-5_000, 90_000)],
    edges: [[0], [base], [-base], [base - 1], [base * base - 1]],
  };
}

function longestClimb(step: number): CodeProblem {
  return {
    name: 'longestClimb',
    parameters: 'numbers',
    statement: `A climb is a stretch of neighbouring numbers in the list of which each is at least ${step} more than the one before it. It returns how many numbers the longest climb has: 1 where no number is so much more than the one before it, and 0 for an empty list.`,
    right: `function longestClimb(numbers) {
  let longest = 0;
  let length = 0;
  numbers.forEach((number, at) => {
    length = at > 0 && number >= numbers[at - 1] + ${step} ? length + 1 : 1;
    longest = Math.max(longest, length);
  });
  return longest;
}`,
    slips: [
      ['number >= ', 'number > '],
      ['let longest = 0', 'let longest = 1'],
    ],
    input: (random) => [someNumbers(random, 0, 12)],
    edges: [[[]], [[4]], [[1, 1 + step, 1 + 2 * step]], [[9, 1, 5, 9, 13]], [[3, 3, 3]], [[1, step, 2 * step]]],
  };
}

function joinRanges(gap: number): CodeProblem {
  const near =
    gap === 0 ? 'overlap or touch (the next begins where another ends)' : `overlap or lie at most ${gap} apart`;
  const ranges = (...ends: readonly (readonly [number, number])[]) => [ends];
  return {
    name: 'joinRanges',
    parameters: 'ranges',
    statement: `It takes a list of ranges [first, last] in any order and returns a new list, sorted by the beginning, in which ranges that ${near} are joined into one.`,
    right: `function joinRanges(ranges) {
  const sorted = ranges.map((range) => [...range]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const joined = [];
  for (const [first, last] of sorted) {
    const end = joined.length ? joined[joined.length - 1][1] : -Infinity;
    if (first <= end + ${gap}) joined[joined.length - 1][1] = Math.max(end, last);
    else joined.push([first, last]);
  }
  return joined;
}`,
    slips: [
      ['Math.max(end, last)', 'last'],
      ['first <= end', 'first < end'],
    ],
    input: (random) => {
      const firsts = Array.from({ length: random.between(2, 6) }, () => random.between(0, 40));
      return [firsts.map((first) => [first, first + random.between(0, 8)])];
    },
    edges: [
      ranges(),
      ranges([5, 6], [1, 2]),
      ranges([1, 4], [4 + gap, 20]),
      ranges([1, 4], [5 + gap, 20]),
      ranges([1, 20], [2, 3], [5, 6]),
      ranges([10, 12], [1, 11], [30, 31]),
    ],
  };
}
