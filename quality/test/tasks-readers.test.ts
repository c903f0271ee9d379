import { readDate, readWeekday } from '../tasks/calendar/read-date.ts';
import { readAnswerLine } from '../tasks/reading/answer-line.ts';
import { readNumber } from '../tasks/reading/read-number.ts';

/** A right answer counts however models write it; what is not said, or said beside something else, does not. */

describe('the line with the answer', () => {
  it.each([
    ['Answer: 42'],
    ['Six times seven.\n\nAnswer: 42\n'],
    ['**Answer:** 42'],
    ['**Answer: 42**'],
    ['### Answer: `42`'],
    ['answer : 42'],
    ['Answer: \\boxed{42}'],
    ['Answer: $\\text{42}$'],
    ['Answer: <42>'],
    ['```\nAnswer: 42\n```'],
    ['Answer: 41\nNo, I forgot one.\nAnswer: 42'],
    ['Ａｎｓｗｅｒ：４２'],
  ])('%j is in the form asked for', (text) => {
    expect(readAnswerLine(text)).toEqual({ value: '42', hasForm: true });
  });

  it.each([
    ['42'],
    ['**42**'],
    ['Final Answer: 42'],
    ['- Answer: 42'],
    ['Answer:\n42'],
    ['Answer: 42\n\nThat is six times seven.'],
    ['Six times seven.\nSo the final answer is 42'],
  ])('%j is read, though its form is another', (text) => {
    expect(readAnswerLine(text)).toEqual({ value: '42', hasForm: false });
  });

  it.each([
    [''],
    ['Answer:'],
    ['I had 40 and then 42.\nIt may be 42.'],
    ['I doubt that the answer is 42.\nIt depends.'],
    ['Answers: 42\nor so'],
  ])('%j has no answer', (text) => {
    expect(readAnswerLine(text)).toBeUndefined();
  });
});

describe('numbers', () => {
  it.each([
    ['1234'],
    ['1,234'],
    ['1 234'],
    ['1,234.00'],
    ['1,234.'],
    ['1234 apples'],
    ['1234 Apples in total.'],
    ['she has 1234 apples left'],
    ['6 * 200 + 34 = 1234'],
  ])('%j is 1234', (text) => {
    expect(readNumber(text, ['apples'])).toBe('1234');
  });

  it.each([
    ...[
      '',
      'none',
      '12,34',
      '1,2345',
      '1.234',
      '-1234',
      '\u22121234',
      '1234 thousand',
      '1234 pears',
      'about 1234',
      '~1234',
    ],
    ...[
      '1234 or 1235',
      'not 1234',
      '1234%',
      '1234/2',
      '1234²',
      '2 * 617',
      '1234 (or 1233)',
      '12 34',
      '1234e2',
      '0x1234',
    ],
  ])('%j is not', (text) => {
    expect(readNumber(text, ['apples'])).not.toBe('1234');
  });

  it('a product is not its digits put together', () => {
    expect(readNumber(readAnswerLine('Answer: 4*2')?.value ?? '')).toBeUndefined();
    expect(readNumber(readAnswerLine('Answer: 4 * 2')?.value ?? '')).toBeUndefined();
    expect(readNumber(readAnswerLine('Answer: 4²')?.value ?? '')).toBeUndefined();
  });
});

describe('dates', () => {
  it.each([
    ...[
      '2027-03-14',
      '2027-3-14',
      '14 March 2027',
      'March 14, 2027',
      '14th of March 2027',
      'Mar. 14th, 2027',
      '14 mar 2027.',
    ],
    ...['Sunday, 14 March 2027', '2027-03-14 (Sunday)', 'on Sunday the 14th of March, 2027'],
  ])('%j is 14 March 2027', (text) => {
    expect(readDate(text)).toBe('2027-03-14');
  });

  it.each([
    '',
    '14.3.2027',
    '03/04/2027',
    'Monday, 14 March 2027',
    '14 March',
    '2027-02-30',
    '14 Ma 2027',
    '14 or 15 March 2027',
  ])('%j is none that can be told', (text) => {
    expect(readDate(text)).toBeUndefined();
  });

  it.each(['Sunday', 'sunday.', 'Sun', 'It is a Sunday', 'Sunday, 14 March 2027'])('%j is a Sunday', (text) => {
    expect(readWeekday(text)).toBe('Sunday');
  });

  it.each(['', 'Sunday or Monday', 'not Sunday', 'the day after Sunday', 'Monday, 14 March 2027'])(
    '%j is none',
    (text) => {
      expect(readWeekday(text)).toBeUndefined();
    },
  );
});
