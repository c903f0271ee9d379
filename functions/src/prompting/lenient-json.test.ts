import { lenientText, lenientTexts, listInReply, objectInReply, textsInReply } from './lenient-json';

const KEYS = ['a'];
const find = (reply: string) => objectInReply(reply, KEYS);
const texts = (reply: string) => textsInReply(reply, { list: 'texts', max: 3 });

describe('objectInReply', () => {
  it.each([
    ['alone', '{"a": 1}'],
    ['in a code fence', '```json\n{"a": 1}\n```'],
    ['in prose', 'Here it is: {"a": 1} — good luck!'],
    ['with trailing commas', '{"a": 1,\n}'],
  ])('finds it %s', (_, reply) => expect(find(reply)).toEqual({ a: 1 }));

  it('keeps commas and brackets within texts', () => {
    expect(find('{"a": "x, ]", "b": "{}"}')).toEqual({ a: 'x, ]', b: '{}' });
  });

  it.each([
    ['keys without quotes', '{a: 1}'],
    ['single quotes', "{'a': 1}"],
    ['curved quotes', '{“a”: 1}'],
    ['full-width marks', '{"a"：1}'],
    ['comments', '{ // the first\n "a": 1 /* done */ }'],
    ['another object behind it', '{"a": 1} as in {"b": 2}'],
    ['an earlier one before it', 'First {"a": 2}. No: {"a": 1}'],
    ['a brace that is never closed before it', 'Given { and so on: {"a": 1}'],
    ['an end that was cut off', '{"a": 1, "b": "this is not com'],
  ])('reads one with %s', (_, reply) => expect(find(reply)).toEqual({ a: 1 }));

  it.each([
    ['a quote within a text', '{"a": "the word "foo" is wrong", "b": "c"}', { a: 'the word "foo" is wrong', b: 'c' }],
    ['an apostrophe', "{'a': 'it's so', 'b': 'c'}", { a: "it's so", b: 'c' }],
    ['a line end within a text', '{"a": "one\ntwo"}', { a: 'one\ntwo' }],
    ['a backslash of LaTeX', '{"a": "\\alpha is \\"x\\""}', { a: '\\alpha is "x"' }],
    ['words of Python', '{"a": None, "b": True, "c": False}', { a: null, b: true, c: false }],
    ['a word without quotes', '{"a": B, "c": [A, B]}', { a: 'B', c: ['A', 'B'] }],
    ['a comma that is missing', '{"a": ["x"\n"y"]\n"b": 1}', { a: ['x', 'y'], b: 1 }],
    ['a list that was cut off', '{"a": [{"b": 1}, {"b": 2', { a: [{ b: 1 }, {}] }],
  ])('reads one with %s', (_, reply, object) => expect(find(reply)).toEqual(object));

  it.each(['', 'none', '[1]', '}{', '{', '{"a": ', '{"b": 1}', '{"a": label of the best or null}'])(
    'finds none in %j',
    (reply) => expect(find(reply)).toBeUndefined(),
  );

  it('gives prototype keys no power', () => {
    const reply = '{"__proto__": {"polluted": true, "a": 1}, "constructor": {"prototype": {"polluted": true}}}';
    const found = find(reply);
    expect(found).toBeUndefined();
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each([
    ['brackets', `{"a": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ])('reads %s a hundred thousand deep', (_, reply) => expect(find(reply)).toBeDefined());

  it.each([
    ['open brackets', '{['.repeat(500_000)],
    ['pairs of brackets', '{}'.repeat(500_000)],
    ['commas', `{${','.repeat(500_000)}}`],
    ['blanks behind a comma', `{"a": 1,${' '.repeat(500_000)}x}`],
  ])('comes to an end with very many %s', (_, reply) => expect(find(reply)).toBeUndefined());
});

describe('listInReply', () => {
  const items = { list: 'items', items: ['task'] };

  it.each([
    ['the object', '{"items": [{"task": "x"}, {"task": "y"}]}'],
    ['the list alone', '[{"task": "x"}, {"task": "y"}]'],
    ['its items, one after the other', '{"task": "x"}\n{"task": "y"}'],
  ])('reads %s', (_, reply) => expect(listInReply(reply, items)).toEqual({ items: [{ task: 'x' }, { task: 'y' }] }));

  it('reads an empty list', () => expect(listInReply('Nothing: []', items)).toEqual({ items: [] }));

  it.each(['', 'See [1] and [2].', '{"other": 1}'])('finds none in %j', (reply) =>
    expect(listInReply(reply, items)).toBeUndefined(),
  );
});

describe('textsInReply', () => {
  it.each(['["a"]', '```\n["a",]\n```', 'Three: ["a"].'])('finds it in %j', (reply) =>
    expect(texts(reply)).toEqual(['a']),
  );

  it.each([
    ['the object asked for', '{"texts": ["a", "b"]}'],
    ['a numbered list', '1. a\n2. b'],
    ['a list with points and quotes', 'Try these:\n- "a"\n- **b**'],
    ['a list after a remark in brackets', '[see 1] ["a", "b"]'],
  ])('reads %s', (_, reply) => expect(texts(reply)).toEqual(['a', 'b']));

  it.each(['', '{"a": 1}', '][', 'a, b'])('finds none in %j', (reply) => expect(texts(reply)).toBeUndefined());

  it.each([
    ['["a", " b ", "", "c", "d"]', ['a', 'b', 'c']],
    ['```\n["a"]\n```', ['a']],
  ])('reads at most three of %j', (reply, list) => expect(texts(reply)).toEqual(list));

  it.each(['a, b', '[]', '[1, 2]', '["", " "]'])('finds nothing in %j', (reply) =>
    expect(texts(reply)).toBeUndefined(),
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
