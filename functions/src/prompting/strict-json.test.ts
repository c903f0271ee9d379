import { soleJson } from './strict-json';

/** Accepts what has a number `n`. */
function read(value: unknown): number[] | undefined {
  const { n } = (value ?? {}) as { n?: unknown };
  return typeof n === 'number' ? [n] : undefined;
}

describe('the ladder', () => {
  it.each([
    ['the whole text', '{"n":1}'],
    ['the whole text with space around it', '\n {"n":1}\n'],
    ['one fenced block', 'Here:\n```json\n{"n":1}\n```\nDone.'],
    ['one fenced block without a language', '```\n{"n":1}\n```'],
    ['a fenced block beside an object in prose', 'Not {"n":7}:\n```\n{"n":1}\n```'],
    ['one object in prose', 'I think {"n":1} is fair.'],
    ['one object after a thinking preamble', '<think>Is {a} better? {"x":2} maybe.</think>\n{"n":1}'],
    ['braces and quotes inside strings', 'So: {"s":"a } \\" { b","n":1}'],
    ['a brace that is never closed', 'Given { the task, {"n":1}'],
    ['a brace that was never opened', 'Smile :} {"n":1}'],
    ['an odd quote in the prose', 'A 5" pipe. {"n":1}'],
    ['the object that is accepted among others', '{"x":1} {"n":1} {"y":{"n":3}}'],
  ])('finds %s', (_, text) => expect(soleJson(text, read)).toEqual([1]));

  it.each([
    ['nothing', ''],
    ['prose', 'I give it an 8 out of 10.'],
    ['two objects', '{"n":1} {"n":2}'],
    ['two equal objects', '{"n":1}\n{"n":1}'],
    ['two fenced blocks', '```\n{"n":1}\n```\n```\n{"n":2}\n```'],
    ['an object cut off', '{"n":1'],
    ['an object inside another', '{"result":{"n":1}}'],
    ['NaN', '{"n":NaN}'],
    ['an array', '[{"x":1}]'],
    ['null', 'null'],
  ])('finds nothing in %s', (_, text) => expect(soleJson(text, read)).toBeUndefined());

  it('takes time in proportion to the reply, however hostile', () => {
    const attempts: unknown[] = [];
    const count = (value: unknown): undefined => void attempts.push(value);
    expect(soleJson('{"'.repeat(200_000), count)).toBeUndefined();
    expect(soleJson('{'.repeat(200_000) + '}'.repeat(200_000), count)).toBeUndefined();
    expect(soleJson('{}'.repeat(1_000), count)).toBeUndefined();
    expect(attempts).toHaveLength(1_000);
    // More of them are not even parsed.
    expect(soleJson('{}'.repeat(1_001), count)).toBeUndefined();
    expect(soleJson('}'.repeat(200_000), count)).toBeUndefined();
    expect(attempts).toHaveLength(1_000);
  });
});
