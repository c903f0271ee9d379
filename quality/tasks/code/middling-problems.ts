import { type CodeProblem, someNumbers, someWord } from './code-problem.ts';
import { RANGE_PROBLEMS } from './range-problems.ts';

/** A rule with a catch. */
export const MIDDLING_PROBLEMS: readonly CodeProblem[] = [
  ...[2, 3, 4].map(packRuns),
  ...[2, 3, 4, 5].map(topWords),
  ...[5, 7, 12, 16].map(inBase),
  ...[1, 2, 3].map(longestClimb),
  ...['()[]', '()[]{}', '<>()'].map(firstFlaw),
  ...RANGE_PROBLEMS,
];

function packRuns(least: number): CodeProblem {
  return {
    name: 'packRuns',
    parameters: 'text',
    statement: `A run is a stretch of the same letter that is as long as possible. It returns the text with each run of at least ${least} letters replaced by the letter and the length of the run; shorter runs stay as they are.`,
    solve: (text: string) =>
      text.replace(/([a-z])\1*/g, (run) => (run.length >= least ? `${run[0]}${run.length}` : run)),
    input: (random) => [
      Array.from({ length: random.between(2, 6) }, () =>
        'abc'.charAt(random.below(3)).repeat(random.between(1, 6)),
      ).join(''),
    ],
    edges: [[''], ['a'.repeat(least)], ['b'.repeat(least - 1)], [`x${'y'.repeat(12)}`], [`${'z'.repeat(least)}y`]],
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
    wrong: [
      `function packRuns(text) {
  return text.replace(/(.)\\1*/g, (run) => (run.length > ${least} ? run[0] + run.length : run));
}`,
      `function packRuns(text) {
  let packed = '';
  let start = 0;
  for (let at = 1; at < text.length; at++) {
    if (text[at] !== text[start]) {
      packed += at - start >= ${least} ? text[start] + (at - start) : text.slice(start, at);
      start = at;
    }
  }
  return packed;
}`,
    ],
  };
}

function topWords(count: number): CodeProblem {
  return {
    name: 'topWords',
    parameters: 'text',
    statement: `Words are separated by single spaces. It returns the list of the ${count} words that occur most often, the most frequent first; of words that occur equally often, the one that comes first in the alphabet. If there are fewer different words, it returns all of them. An empty text has no words.`,
    solve: (text: string) => {
      const words = text.split(' ').filter(Boolean).sort();
      const groups = [...Map.groupBy(words, (word) => word)];
      return groups
        .sort((one, other) => other[1].length - one[1].length)
        .slice(0, count)
        .map(([word]) => word);
    },
    input: (random) => [Array.from({ length: random.between(6, 14) }, () => someWord(random, 1)).join(' ')],
    edges: [[''], ['b a'], ['b b a a c d e f'], ['pear fig pear apple fig plum kiwi date']],
    right: `function topWords(text) {
  const counts = new Map();
  for (const word of text.split(' ')) if (word) counts.set(word, (counts.get(word) || 0) + 1);
  return [...counts.keys()]
    .sort((a, b) => counts.get(b) - counts.get(a) || (a < b ? -1 : 1))
    .slice(0, ${count});
}`,
    wrong: [
      `function topWords(text) {
  const counts = new Map();
  for (const word of text.split(' ')) if (word) counts.set(word, (counts.get(word) || 0) + 1);
  return [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a)).slice(0, ${count});
}`,
      `function topWords(text) {
  const counts = new Map();
  for (const word of text.split(' ')) counts.set(word, (counts.get(word) || 0) + 1);
  return [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a) || (a < b ? 1 : -1)).slice(0, ${count});
}`,
    ],
  };
}

function inBase(base: number): CodeProblem {
  return {
    name: 'inBase',
    parameters: 'number',
    statement: `It returns a whole number, which may be negative, written in base ${base} as a string. Digits beyond 9 are the small letters a, b, c and so on. A negative number begins with a minus sign.`,
    solve: (number: number) => number.toString(base),
    input: (random) => [random.between(-5_000, 90_000)],
    edges: [[0], [base], [-base], [base - 1], [base * base - 1]],
    right: `function inBase(number) {
  let left = Math.abs(number);
  let digits = '';
  do {
    digits = '0123456789abcdefghijklmnopqrstuvwxyz'[left % ${base}] + digits;
    left = Math.floor(left / ${base});
  } while (left > 0);
  return number < 0 ? '-' + digits : digits;
}`,
    wrong: [
      `function inBase(number) {
  let left = Math.abs(number);
  let digits = '';
  while (left > 0) {
    digits = '0123456789abcdefghijklmnopqrstuvwxyz'[left % ${base}] + digits;
    left = Math.floor(left / ${base});
  }
  return number < 0 ? '-' + digits : digits;
}`,
      `function inBase(number) {
  let digits = '';
  do {
    digits += '0123456789abcdefghijklmnopqrstuvwxyz'[number % ${base}];
    number = Math.floor(number / ${base});
  } while (number > 0);
  return digits;
}`,
    ],
  };
}

function longestClimb(step: number): CodeProblem {
  return {
    name: 'longestClimb',
    parameters: 'numbers',
    statement: `A climb is a stretch of neighbouring numbers in the list of which each is at least ${step} more than the one before it. It returns how many numbers the longest climb has: 1 where no number is so much more than the one before it, and 0 for an empty list.`,
    solve: (numbers: readonly number[]) => {
      const lengths: number[] = [];
      for (const [at, number] of numbers.entries()) {
        lengths.push(at > 0 && number - (numbers[at - 1] ?? 0) >= step ? (lengths[at - 1] ?? 0) + 1 : 1);
      }
      return Math.max(0, ...lengths);
    },
    input: (random) => [someNumbers(random, 0, 12)],
    edges: [[[]], [[4]], [[1, 1 + step, 1 + 2 * step]], [[9, 1, 5, 9, 13]], [[3, 3, 3]], [[1, step, 2 * step]]],
    right: `function longestClimb(numbers) {
  let longest = 0;
  let length = 0;
  numbers.forEach((number, at) => {
    length = at > 0 && number >= numbers[at - 1] + ${step} ? length + 1 : 1;
    longest = Math.max(longest, length);
  });
  return longest;
}`,
    wrong: [
      `function longestClimb(numbers) {
  let longest = 1;
  let length = 1;
  for (let at = 1; at < numbers.length; at++) {
    length = numbers[at] - numbers[at - 1] > ${step} ? length + 1 : 1;
    longest = Math.max(longest, length);
  }
  return longest;
}`,
      `function longestClimb(numbers) {
  let longest = 0;
  let length = 0;
  for (let at = 0; at < numbers.length; at++) {
    if (at > 0 && numbers[at] - numbers[at - 1] >= ${step}) length++;
    else {
      longest = Math.max(longest, length);
      length = 1;
    }
  }
  return longest;
}`,
    ],
  };
}

function firstFlaw(brackets: string): CodeProblem {
  const pairs = brackets.match(/../g) ?? [];
  const closing = JSON.stringify(Object.fromEntries(pairs.map((pair) => [pair[1], pair[0]])));
  return {
    name: 'firstFlaw',
    parameters: 'text',
    statement: `The text consists of the brackets ${pairs.join(' and ')}. It returns the index, counted from 0, of the first closing bracket that does not close the bracket opened last (or any); if there is none, -1 where all brackets are closed, and the length of the text where some stay open.`,
    solve: (text: string) => {
      const open: string[] = [];
      for (const [at, sign] of [...text].entries()) {
        const pair = pairs.find((one) => one[1] === sign);
        if (pair === undefined) open.push(sign);
        else if (open.pop() !== pair[0]) return at;
      }
      return open.length === 0 ? -1 : text.length;
    },
    input: (random) => [
      Array.from({ length: random.between(2, 8) }, () => random.pick([...brackets, ...pairs])).join(''),
    ],
    edges: [
      [''],
      [brackets.slice(0, 2)],
      [`${brackets[0]}${brackets[3]}`],
      [`${brackets[0]}${brackets[2]}`],
      [brackets[1] ?? ''],
    ],
    right: `function firstFlaw(text) {
  const opening = ${closing};
  const stack = [];
  for (let at = 0; at < text.length; at++) {
    if (!(text[at] in opening)) stack.push(text[at]);
    else if (stack.pop() !== opening[text[at]]) return at;
  }
  return stack.length ? text.length : -1;
}`,
    wrong: [
      `function firstFlaw(text) {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    depth += text[at] in ${closing} ? -1 : 1;
    if (depth < 0) return at;
  }
  return depth ? text.length : -1;
}`,
      `function firstFlaw(text) {
  const opening = ${closing};
  const stack = [];
  for (let at = 0; at < text.length; at++) {
    if (!(text[at] in opening)) stack.push(text[at]);
    else if (stack.pop() !== opening[text[at]]) return at;
  }
  return -1;
}`,
    ],
  };
}
