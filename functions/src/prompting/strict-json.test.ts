import { lastJson } from './strict-json';

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
    ['the last of several', '{"n":3} No: {"n":2}\n{"n":1}'],
    ['the last of several blocks', '```\n{"n":2}\n```\nBetter:\n```\n{"n":1}\n```'],
    ['the object that is accepted among others', '{"x":1} {"n":1} {"y":{"n":3}}'],
  ])('finds %s', (_, text) => expect(lastJson(text, read)).toEqual([1]));

  it.each([
    ['nothing', ''],
    ['prose', 'I give it an 8 out of 10.'],
    ['an object cut off', '{"n":1'],
    ['an object inside another', '{"result":{"n":1}}'],
    ['NaN', '{"n":NaN}'],
    ['an array', '[{"x":1}]'],
    ['null', 'null'],
  ])('finds nothing in %s', (_, text) => expect(lastJson(text, read)).toBeUndefined());

  it('takes time in proportion to the reply, however hostile', () => {
    const attempts: unknown[] = [];
    const count = (value: unknown): undefined => void attempts.push(value);
    expect(lastJson('{"'.repeat(200_000), count)).toBeUndefined();
    expect(lastJson('{'.repeat(200_000) + '}'.repeat(200_000), () => undefined)).toBeUndefined();
    expect(lastJson('}'.repeat(200_000), count)).toBeUndefined();
    expect(attempts).toHaveLength(0);
    // Of very many only the last are parsed.
    expect(lastJson('{}'.repeat(200_000), count)).toBeUndefined();
    expect(attempts).toHaveLength(1_000);
    expect(lastJson(`${'{}'.repeat(200_000)}{"n":1}`, read)).toEqual([1]);
  });
});
