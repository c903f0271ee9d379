import { type CodeProblem, someNumbers, someWord } from './code-problem.ts';

/** One pass over a list or a text. */
export const EASY_PROBLEMS: readonly CodeProblem[] = [
  ...[3, 4, 6, 7].map(sumOfMultiples),
  ...[2, 5, 11, 17].map(shiftLetters),
  ...[2, 3, 4, 5].map(everyNth),
  ...[2, 3, 4, 5].map(countLongWords),
  ...[1, 3, 7, 9].map(turnDigits),
];

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
  const ordinal = ['second', 'third', 'fourth', 'fifth'][step - 2];
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

function countLongWords(length: number): CodeProblem {
  return {
    name: 'countLongWords',
    parameters: 'text',
    statement: `Words are separated by one or several spaces. It returns how many words of the text have more than ${length} characters.`,
    right: `function countLongWords(text) {
  let count = 0;
  for (const word of text.split(/ +/)) if (word.length > ${length}) count++;
  return count;
}`,
    slips: [
      [`> ${length}`, `>= ${length}`],
      [`> ${length}`, `< ${length}`],
    ],
    input: (random) => [Array.from({ length: random.between(2, 8) }, () => someWord(random, 8)).join('  ')],
    edges: [[''], ['   '], ['a'.repeat(length)], [` ${'b'.repeat(length + 1)}  ${'c'.repeat(length)} `]],
  };
}

function turnDigits(by: number): CodeProblem {
  return {
    name: 'turnDigits',
    parameters: 'text',
    statement: `It returns the text with ${by} added to each digit, where only the last digit of the sum is kept: ${10 - by} becomes 0. All other characters stay as they are.`,
    right: `function turnDigits(text) {
  return text.replace(/\\d/g, (digit) => (Number(digit) + ${by}) % 10);
}`,
    slips: [
      [' % 10', ''],
      ['/g', '/'],
    ],
    input: (random) => [`${someWord(random, 4)}${random.between(100, 99_999)}-${random.between(0, 999)}`],
    edges: [[''], ['none'], ['0123456789'], ['9 9']],
  };
}
