import { lenientText, lenientTexts, objectInReply, textsInReply } from './lenient-json';

describe('objectInReply', () => {
  it.each([
    ['alone', '{"a": 1}'],
    ['in a code fence', '```json\n{"a": 1}\n```'],
    ['in prose', 'Here it is: {"a": 1} — good luck!'],
    ['with trailing commas', '{"a": 1,\n}'],
  ])('finds it %s', (_, reply) => expect(objectInReply(reply)).toEqual({ a: 1 }));

  it('keeps commas and brackets within texts', () => {
    expect(objectInReply('{"a": "x, ]", "b": "{}"}')).toEqual({ a: 'x, ]', b: '{}' });
  });

  it.each(['', 'none', '[1]', '}{', '{', '{"a": ', '{a: 1}', '{"a": 1} and {"b": 2}', "{'a': 1}"])(
    'finds none in %j',
    (reply) => expect(objectInReply(reply)).toBeUndefined(),
  );

  it('gives prototype keys no power', () => {
    const found = objectInReply('{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}');
    expect((found as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each([
    ['brackets', `{"a": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ])('reads %s a hundred thousand deep', (_, reply) => expect(objectInReply(reply)).toBeDefined());

  it.each([
    ['open brackets', '{['.repeat(500_000)],
    ['pairs of brackets', '{}'.repeat(500_000)],
    ['commas', `{${','.repeat(500_000)}}`],
    ['blanks behind a comma', `{"a": 1,${' '.repeat(500_000)}x}`],
  ])('comes to an end with very many %s', (_, reply) => expect(objectInReply(reply)).toBeUndefined());
});

describe('textsInReply', () => {
  it.each(['["a"]', '```\n["a",]\n```', 'Three: ["a"].'])('finds it in %j', (reply) =>
    expect(textsInReply(reply, 3)).toEqual(['a']),
  );

  it.each(['', '{"a": 1}', '][', 'a, b'])('finds none in %j', (reply) =>
    expect(textsInReply(reply, 3)).toBeUndefined(),
  );

  it.each([
    ['["a", " b ", "", "c", "d"]', ['a', 'b', 'c']],
    ['```\n["a"]\n```', ['a']],
  ])('reads at most three of %j', (reply, list) => expect(textsInReply(reply, 3)).toEqual(list));

  it.each(['a, b', '[]', '[1, 2]', '["", " "]'])('finds nothing in %j', (reply) =>
    expect(textsInReply(reply, 3)).toBeUndefined(),
  );
});

describe('lenientTexts', () => {
  it.each([
    [
      ['a', ' b ', '', ' '],
      ['a', 'b'],
    ],
    ['a', ['a']],
    [{ point: 'a', n: 1, ruling: 'b' }, ['a — b']],
    [
      [{ point: 'a' }, 'b', 3, null, ['c', 'd']],
      ['a', 'b', 'c — d'],
    ],
    [null, []],
    [undefined, []],
    [7, []],
    [[], []],
  ])('reads %j as %j', (value, texts) => expect(lenientTexts.parse(value)).toEqual(texts));
});

describe('lenientText', () => {
  it.each([
    [' a ', 'a'],
    ['', ''],
    [7, ''],
    [null, ''],
    [undefined, ''],
    [['a'], ''],
  ])('reads %j as %j', (value, text) => expect(lenientText.parse(value)).toBe(text));
});
