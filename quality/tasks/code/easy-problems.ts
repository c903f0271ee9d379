import { type CodeProblem, someNumbers, someWord } from './code-problem.ts';

/** One pass over a list or a text. */
export const EASY_PROBLEMS: readonly CodeProblem[] = [
  ...[3, 4, 6, 7].map(sumOfMultiples),
  ...[2, 5, 11, 17].map(shiftLetters),
  ...[2, 3, 4, 5].map(everyNth),
  ...[2, 3, 4, 5].map(countLongWords),
  ...[1, 3, 7, 9].map(turnDigits),
  ...[10, 12, 15, 20].map(clampAll),
];

function sumOfMultiples(of: number): CodeProblem {
  return {
    name: 'sumOfMultiples',
    parameters: 'numbers',
    statement: `It takes a list of whole numbers and returns the sum of those that are divisible by ${of}. The sum of none is 0.`,
    solve: (numbers: readonly number[]) => numbers.filter((one) => one % of === 0).reduce((sum, one) => sum + one, 0),
    input: (random) => [someNumbers(random, -30, 60)],
    edges: [[[]], [[1]], [[0, of, -of, 2 * of]], [[-of, -2 * of, 1]]],
    right: `function sumOfMultiples(numbers) {
  let sum = 0;
  for (const number of numbers) if (number % ${of} === 0) sum += number;
  return sum;
}`,
    wrong: [
      `function sumOfMultiples(numbers) {
  return numbers.filter((number) => number % ${of} === 0).length;
}`,
      `function sumOfMultiples(numbers) {
  return numbers.filter((number) => number % ${of} === 0).reduce((sum, number) => sum + number);
}`,
    ],
  };
}

function shiftLetters(by: number): CodeProblem {
  const shifted = (code: number, first: number): string => String.fromCharCode(first + ((code - first + by) % 26));
  return {
    name: 'shiftLetters',
    parameters: 'text',
    statement: `It returns the text with each letter from a to z and from A to Z moved ${by} places forward in the alphabet; after z comes a, after Z comes A. All other characters stay as they are.`,
    solve: (text: string) =>
      text
        .replace(/[a-z]/g, (letter) => shifted(letter.charCodeAt(0), 97))
        .replace(/[A-Z]/g, (letter) => shifted(letter.charCodeAt(0), 65)),
    input: (random) => [`${someWord(random, 7)} ${someWord(random, 5).toUpperCase()} ${random.between(10, 99)}`],
    edges: [[''], ['xyz'], ['Zebra, Yak!'], ['12 - 3']],
    right: `function shiftLetters(text) {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz';
  return [...text].map((sign) => {
    const at = alphabet.indexOf(sign.toLowerCase());
    if (at < 0) return sign;
    const moved = alphabet[(at + ${by}) % 26];
    return sign === sign.toLowerCase() ? moved : moved.toUpperCase();
  }).join('');
}`,
    wrong: [
      `function shiftLetters(text) {
  return text.replace(/[a-zA-Z]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + ${by}));
}`,
      `function shiftLetters(text) {
  return text.replace(/[a-z]/g, (sign) => String.fromCharCode(97 + (sign.charCodeAt(0) - 97 + ${by}) % 26));
}`,
    ],
  };
}

function everyNth(step: number): CodeProblem {
  const ordinal = ['second', 'third', 'fourth', 'fifth'][step - 2];
  return {
    name: 'everyNth',
    parameters: 'items',
    statement: `It returns a new list with every ${ordinal} item of the list: the ${ordinal} one, then the one ${step} places further, and so on.`,
    solve: (items: readonly number[]) => items.filter((_, at) => (at + 1) % step === 0),
    input: (random) => [someNumbers(random, 0, 99)],
    edges: [[[]], [[1]], [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]]],
    right: `function everyNth(items) {
  const chosen = [];
  for (let at = ${step - 1}; at < items.length; at += ${step}) chosen.push(items[at]);
  return chosen;
}`,
    wrong: [
      `function everyNth(items) {
  return items.filter((_, at) => at % ${step} === 0);
}`,
      `function everyNth(items) {
  const chosen = [];
  for (let at = ${step}; at < items.length; at += ${step}) chosen.push(items[at]);
  return chosen;
}`,
    ],
  };
}

function countLongWords(length: number): CodeProblem {
  return {
    name: 'countLongWords',
    parameters: 'text',
    statement: `Words are separated by one or several spaces. It returns how many words of the text have more than ${length} characters.`,
    solve: (text: string) => text.split(' ').filter((word) => word.length > length).length,
    input: (random) => [Array.from({ length: random.between(2, 8) }, () => someWord(random, 8)).join('  ')],
    edges: [[''], ['   '], ['a'.repeat(length)], [` ${'b'.repeat(length + 1)}  ${'c'.repeat(length)} `]],
    right: `function countLongWords(text) {
  let count = 0;
  for (const word of text.split(/ +/)) if (word.length > ${length}) count++;
  return count;
}`,
    wrong: [
      `function countLongWords(text) {
  return text.split(/ +/).filter((word) => word.length >= ${length}).length;
}`,
      `function countLongWords(text) {
  return text.split(/ +/).filter((word) => word.length < ${length}).length;
}`,
    ],
  };
}

function turnDigits(by: number): CodeProblem {
  return {
    name: 'turnDigits',
    parameters: 'text',
    statement: `It returns the text with ${by} added to each digit, where only the last digit of the sum is kept: ${10 - by} becomes 0. All other characters stay as they are.`,
    solve: (text: string) => text.replace(/\d/g, (digit) => String((Number(digit) + by) % 10)),
    input: (random) => [`${someWord(random, 4)}${random.between(100, 99_999)}-${random.between(0, 999)}`],
    edges: [[''], ['none'], ['0123456789'], ['9 9']],
    right: `function turnDigits(text) {
  let turned = '';
  for (const sign of text) turned += sign >= '0' && sign <= '9' ? (Number(sign) + ${by}) % 10 : sign;
  return turned;
}`,
    wrong: [
      `function turnDigits(text) {
  return text.replace(/\\d/g, (digit) => Number(digit) + ${by});
}`,
      `function turnDigits(text) {
  return text.replace(/\\d+/, (digits) => [...digits].map((digit) => (Number(digit) + ${by}) % 10).join(''));
}`,
    ],
  };
}

function clampAll(most: number): CodeProblem {
  return {
    name: 'clampAll',
    parameters: 'numbers',
    statement: `It returns a new list in which each number below -5 is replaced by -5 and each number above ${most} by ${most}; the others stay, in their order.`,
    solve: (numbers: readonly number[]) => numbers.map((one) => Math.min(most, Math.max(-5, one))),
    input: (random) => [someNumbers(random, -15, 35)],
    edges: [[[]], [[-5, most, 0]], [[-6, most + 1]], [[-50, 90, 1]]],
    right: `function clampAll(numbers) {
  return numbers.map((number) => (number < -5 ? -5 : number > ${most} ? ${most} : number));
}`,
    wrong: [
      `function clampAll(numbers) {
  return numbers.filter((number) => number >= -5 && number <= ${most});
}`,
      `function clampAll(numbers) {
  return numbers.map((number) => Math.max(${most}, Math.min(-5, number)));
}`,
    ],
  };
}
