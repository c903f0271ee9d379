import { lastJson } from './strict-json';

/** Accepts what has a number `n`. */
function read(value: unknown): number | undefined {
  const { n } = (value ?? {}) as { n?: unknown };
  return typeof n === 'number' ? n : undefined;
}

it.each([
  '\n {"n":1}\n',
  'Here:\n```json\n{"n":1}\n```\nDone.',
  'Not {"n":7}:\n```\n{"n":1}\n```',
  'I think {"n":1} is fair.',
  '<think>Is {a} better? {"x":2} maybe.</think>\n{"n":1}',
  'So: {"s":"a } \\" { b","n":1}',
  'Given { the task, {"n":1}',
  'Smile :} {"n":1}',
  'A 5" pipe. {"n":1}',
  '{"n":3} No: {"n":2}\n{"n":1}',
  '```\n{"n":2}\n```\nBetter:\n```\n{"n":1}\n```',
  '{"x":1} {"n":1} {"y":{"n":3}}',
])('finds the last object in %j', (text) => expect(lastJson(text, read)).toBe(1));

it.each(['', 'I give it an 8 out of 10.', '{"n":1', '{"result":{"n":1}}', '{"n":NaN}', '[{"x":1}]', 'null'])(
  'finds none in %j',
  (text) => expect(lastJson(text, read)).toBeUndefined(),
);

it('of very many objects parses only the last', () => {
  let attempts = 0;
  const count = (): undefined => {
    attempts += 1;
  };
  expect(lastJson('{"'.repeat(200_000) + '}'.repeat(200_000), count)).toBeUndefined();
  expect(attempts).toBe(0);
  expect(lastJson('{}'.repeat(200_000), count)).toBeUndefined();
  expect(attempts).toBe(1_000);
});
