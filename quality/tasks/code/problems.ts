import type { Difficulty } from '../task.ts';
import { type CodeProblem, someNumbers, someWord } from './code-problem.ts';

/** Passes over a list or a text; rules with a catch; something to be worked out piece by piece. */
export const PROBLEMS: Readonly<Record<Difficulty, readonly CodeProblem[]>> = {
  1: [
    ...[3, 4, 6, 7, 8, 9].map(sumOfMultiples),
    ...[2, 4, 5, 9, 11, 17].map(shiftLetters),
    ...[2, 3, 4, 5, 6, 7].map(everyNth),
  ],
  2: [...[2, 3, 4, 5, 6, 7].map(packRuns), ...[2, 3, 4, 5, 6, 7].map(topWords), ...[5, 7, 9, 12, 14, 16].map(inBase)],
  3: [
    ...[1, 2, 3, 4, 5, 6].map(fullestBag),
    ...[changeCost(1, 1), changeCost(1, 2), changeCost(2, 1), changeCost(2, 3), changeCost(3, 2), changeCost(3, 3)],
    ...[waysUp(1, 2), waysUp(1, 3), waysUp(1, 3, 4), waysUp(2, 3, 5), waysUp(2, 5), waysUp(3, 4)],
  ],
};

function sumOfMultiples(of: number): CodeProblem {
  return {
    name: 'sumOfMultiples',
    parameters: 'numbers',
    statement: `It takes a list of whole numbers and returns the sum of those that are divisible by ${of}. The sum of none is 0.`,
    right: `function sumOfMultiples(numbers) {
  let sum = 0;
  for (const number of numbers) if (number % ${of} === 0) sum += number;
  return sum;
}`,
    slips: [
      ['sum += number', 'sum += 1'],
      ['=== 0)', '=== 0 && number > 0)'],
    ],
    input: (random) => [someNumbers(random, -30, 60)],
    edges: [[[]], [[1]], [[0, of, -of, 2 * of]], [[-of, -2 * of, 1]]],
  };
}

function shiftLetters(by: number): CodeProblem {
  return {
    name: 'shiftLetters',
    parameters: 'text',
    statement: `It returns the text with each letter from a to z and from A to Z moved ${by} places forward in the alphabet; after z comes a, after Z comes A. All other characters stay as they are.`,
    right: `function shiftLetters(text) {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz';
  return [...text].map((sign) => {
    const at = alphabet.indexOf(sign.toLowerCase());
    if (at < 0) return sign;
    const moved = alphabet[(at + ${by}) % 26];
    return sign === sign.toLowerCase() ? moved : moved.toUpperCase();
  }).join('');
}`,
    slips: [
      ['sign === sign.toLowerCase() ? moved : moved.toUpperCase()', 'moved'],
      [`(at + ${by}) % 26`, `at + ${by}`],
    ],
    input: (random) => [`${someWord(random, 7)} ${someWord(random, 5).toUpperCase()} ${random.between(10, 99)}`],
    edges: [[''], ['xyz'], ['Zebra, Yak!'], ['12 - 3']],
  };
}

function everyNth(step: number): CodeProblem {
  const ordinal = ['second', 'third', 'fourth', 'fifth', 'sixth', 'seventh'][step - 2];
  return {
    name: 'everyNth',
    parameters: 'items',
    statement: `It returns a new list with every ${ordinal} item of the list: the ${ordinal} one, then the one ${step} places further, and so on.`,
    right: `function everyNth(items) {
  const chosen = [];
  for (let at = ${step - 1}; at < items.length; at += ${step}) chosen.push(items[at]);
  return chosen;
}`,
    slips: [
      [`let at = ${step - 1}`, 'let at = 0'],
      [`let at = ${step - 1}`, `let at = ${step}`],
    ],
    input: (random) => [someNumbers(random, 0, 99)],
    edges: [[[]], [[1]], [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]]],
  };
}

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
      const run = (): string => 'abc'.charAt(random.below(3)).repeat(random.between(1, 9));
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

function fullestBag(times: number): CodeProblem {
  const most = times === 1 ? 'at most once' : `at most ${times} times`;
  return {
    name: 'fullestBag',
    parameters: 'weights, limit',
    statement: `It takes a list of positive whole numbers and a limit, and returns the largest sum of weights that is not above the limit, where each item of the list may be taken ${most}. The sum of none is 0.`,
    right: `function fullestBag(weights, limit) {
  const can = Array(limit + 1).fill(false);
  can[0] = true;
  for (const weight of weights)
    for (let again = 0; again < ${times}; again++)
      for (let sum = limit; sum >= weight; sum--) if (can[sum - weight]) can[sum] = true;
  return can.lastIndexOf(true);
}`,
    slips: [
      ['let sum = limit; sum >= weight; sum--', 'let sum = weight; sum <= limit; sum++'],
      ['can.lastIndexOf(true)', 'can.indexOf(true, 1)'],
    ],
    input: (random) => [
      Array.from({ length: random.between(2, 6) }, () => random.between(2, 15)),
      random.between(5, 40),
    ],
    edges: [
      [[], 10],
      [[11], 10],
      [[6, 5, 5], 10],
      [[9, 4, 4, 4], 12],
      [[2], 15],
    ],
  };
}

function changeCost(removing: number, replacing: number): CodeProblem {
  return {
    name: 'changeCost',
    parameters: 'from, to',
    statement: `It returns the least that it costs to turn the first text into the second, where inserting a letter costs 1, removing one ${removing} and replacing one by another ${replacing}.`,
    right: `function changeCost(from, to) {
  let row = [...Array(to.length + 1).keys()];
  for (let i = 1; i <= from.length; i++) {
    const next = [i * ${removing}];
    for (let j = 1; j <= to.length; j++)
      next[j] = from[i - 1] === to[j - 1] ? row[j - 1] : Math.min(row[j] + ${removing}, next[j - 1] + 1, row[j - 1] + ${replacing});
    row = next;
  }
  return row[to.length];
}`,
    slips: [
      ['next[j - 1] + 1', 'next[j - 1] + 2'],
      [`[i * ${removing}]`, `[i * ${removing + 1}]`],
    ],
    input: (random) => [someWord(random, 7), someWord(random, 7)],
    edges: [
      ['', ''],
      ['abc', ''],
      ['', 'abc'],
      ['abc', 'abc'],
      ['ab', 'ba'],
      ['b', 'ab'],
    ],
  };
}

function waysUp(...steps: number[]): CodeProblem {
  return {
    name: 'waysUp',
    parameters: 'height',
    statement: `Somebody climbs a stair of so many steps and takes ${steps.join(' or ')} of them at a time. It returns in how many ways that can be done; the order of the strides matters. There is one way to climb no step at all.`,
    right: `function waysUp(height) {
  const ways = [1];
  for (let at = 1; at <= height; at++)
    ways[at] = [${steps.join(', ')}].reduce((sum, step) => sum + (at >= step ? ways[at - step] : 0), 0);
  return ways[height];
}`,
    slips: [
      ['ways = [1]', 'ways = [0]'],
      ['at >= step ?', 'at > step ?'],
    ],
    input: (random) => [random.between(0, 16)],
    edges: [[0], [1], [2], [3], [4], [5], [12]],
  };
}
