import { readAnswer } from './answer-form';

const FORM = { name: 'any', schema: {} };

it.each([
  ['alone', '{"a": 1.0}'],
  ['between blanks', ' \n{"a": 1.0}\n'],
  ['in a code fence', 'Here:\n```json\n{"a": 1.0}\n```\nDone.'],
  ['in prose', 'It is {"a": 1.0}, I think.'],
  ['after a first try', '{"a": 2.0} No: {"a": 1.0}'],
])('JSON %s is read, as it was written', (_, text) => {
  expect(readAnswer(text, FORM)).toEqual({ text: '{"a": 1.0}', value: { a: 1 }, flaws: [], givenUp: false });
});

it.each([
  ['prose', 'A berry.'],
  ['ten million brackets', '['.repeat(10_000_000)],
  ['an object of a million levels', `${'{"a":'.repeat(1_000_000)}1${'}'.repeat(1_000_000)}`],
  ['one of 65 levels', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`],
  ['a list of a million items', `[${'1,'.repeat(1_000_000)}1]`],
  ['a list of more than a million characters', `["${'x'.repeat(1_000_000)}"]`],
  ['ten million quotes', '"'.repeat(10_000_000)],
])('%s are no JSON value, and stay as they are', (_, text) => {
  const { text: kept, ...reading } = readAnswer(text, FORM);
  expect(kept === text).toBe(true);
  expect(reading).toEqual({ flaws: ['it is not one JSON value'], givenUp: false });
});
