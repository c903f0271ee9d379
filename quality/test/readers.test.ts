import { readAnswerLine } from '../tasks/reading/answer-line.ts';
import { readDate, readWeekday } from '../tasks/reading/read-date.ts';
import { readNumber } from '../tasks/reading/read-number.ts';
import { readList } from '../tasks/recall.ts';

/** A right answer counts however models write it; what is not said, or said beside something else, does not. */

it.each([
  'Six times seven.\n\nAnswer: 42\n',
  '**Answer:** 42',
  '### Answer: `42`',
  'answer : 42',
  'Answer: \\boxed{42}',
  'Answer: $\\text{42}$',
  'Answer: <42>',
  '```\nAnswer: 42\n```',
  'Answer: 41\nNo, I forgot one.\nAnswer: 42',
  'Ａｎｓｗｅｒ：４２',
])('%j has an answer in the form asked for', (text) => {
  expect(readAnswerLine(text)).toEqual({ value: '42', hasForm: true });
});

it.each([
  '**42**',
  'Final Answer: 42',
  '- Answer: 42',
  'Answer:\n42',
  'Answer: 42\n\nThat is six times seven.',
  'Six times seven.\nSo the final answer is 42',
])('%j has an answer in another form', (text) => {
  expect(readAnswerLine(text)).toEqual({ value: '42', hasForm: false });
});

it.each(['', 'Answer:', 'I had 40 and then 42.\nIt may be 42.', 'Answers: 42\nor so'])('%j has no answer', (text) => {
  expect(readAnswerLine(text)).toBeUndefined();
});

it.each(['1234', '1,234', '1 234', '1,234.00', '1,234.', '1234 Apples in total.', '6 * 200 + 34 = 1234'])(
  '%j is 1234',
  (text) => {
    expect(readNumber(text, ['apples'])).toBe('1234');
  },
);

it.each([
  ...['', '12,34', '1,2345', '1.234', '-1234', '\u22121234', '1234 thousand', '1234 pears', 'about 1234', '~1234'],
  ...['1234 or 1235', 'not 1234', '1234%', '1234/2', '1234²', '2 * 617', '12 34', '1234e2', '0x1234'],
])('%j is not', (text) => {
  expect(readNumber(text, ['apples'])).not.toBe('1234');
});

it.each(['Answer: 4*2', 'Answer: 4 * 2', 'Answer: 4²'])('%j is no number made of its digits', (text) => {
  expect(readNumber(readAnswerLine(text)?.value ?? '')).toBeUndefined();
});

it.each([
  ...['2027-03-14', '2027-3-14', '14 March 2027', '14th of March 2027', 'Mar. 14th, 2027', '14 mar 2027.'],
  ...['Sunday, 14 March 2027', '2027-03-14 (Sunday)', 'on Sunday the 14th of March, 2027'],
])('%j is 14 March 2027', (text) => {
  expect(readDate(text)).toBe('2027-03-14');
});

it.each([
  ...['', '14.3.2027', '03/04/2027', 'Monday, 14 March 2027', '14 March', '2027-02-30', '14 Ma 2027'],
  '14 or 15 March 2027',
])('%j is no date that can be told', (text) => {
  expect(readDate(text)).toBeUndefined();
});

it.each([
  ['Sunday', 'Sunday'],
  ['sunday.', 'Sunday'],
  ['It is a Sun', 'Sunday'],
  ['Sunday, 14 March 2027', 'Sunday'],
  ['', undefined],
  ['Sunday or Monday', undefined],
  ['not Sunday', undefined],
  ['the day after Sunday', undefined],
  ['Monday, 14 March 2027', undefined],
])('%j names the weekday %s', (text, weekday) => {
  expect(readWeekday(text)).toBe(weekday);
});

it.each([
  ['iron\n\ncobalt\n', 0],
  ['1. Iron\n2. Cobalt', 0],
  ['- **Iron**\n- **Cobalt**', 0],
  ['• Iron (Fe)\n• Cobalt (Co)', 0],
  ['1) Iron, symbol Fe\n2) Cobalt – 27', 0],
  ['```\niron\ncobalt.\n```', 0],
  ['Here they are:\niron\ncobalt\nThese two lie side by side in the fourth period of the table.', 2],
])('%j is iron and cobalt', (text, otherLines) => {
  expect(readList(text)).toEqual({ items: ['iron', 'cobalt'], otherLines });
});
