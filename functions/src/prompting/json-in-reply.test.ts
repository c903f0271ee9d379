import { lastJson, listInReply, objectInReply, textsInReply } from './json-in-reply';

const find = (reply: string) => objectInReply(reply, ['a']);

/** Objects as models write them; what lists, plans and reports come to is in `test/replies`. */
describe('objectInReply', () => {
  it.each([
    ['{"a": "x, ]", "b": "{}"}', { a: 'x, ]', b: '{}' }],
    ['{"a": 1} as in {"b": 2}', { a: 1 }],
    ['First {"a": 2}. No: {"a": 1}', { a: 1 }],
    ['Given { and so on: {"a": 1}', { a: 1 }],
    ['{"a": 1, "b": "this is not com', { a: 1 }],
    ['{"a": "the word "foo" is wrong", "b": "c"}', { a: 'the word "foo" is wrong', b: 'c' }],
    ["{'a': 'it's so', 'b': 'c'}", { a: "it's so", b: 'c' }],
    ['{"a": "one\ntwo"}', { a: 'one\ntwo' }],
    ['{"a": "\\alpha is \\"x\\""}', { a: '\\alpha is "x"' }],
    ['{"a": None, "b": True, "c": False}', { a: null, b: true, c: false }],
    ['{"a": B, "c": [A, B]}', { a: 'B', c: ['A', 'B'] }],
    ['{"a": ["x"\n"y"]\n"b": 1}', { a: ['x', 'y'], b: 1 }],
    ['{"a": [{"b": 1}, {"b": 2', { a: [{ b: 1 }, {}] }],
  ])('reads %s', (reply, object) => expect(find(reply)).toEqual(object));

  it.each(['', 'none', '[1]', '}{', '{', '{"a": ', '{"b": 1}', '{"a": label of the best or null}'])(
    'finds none in %j',
    (reply) => expect(find(reply)).toBeUndefined(),
  );

  it('gives prototype keys no power', () => {
    expect(
      find('{"__proto__": {"polluted": true, "a": 1}, "constructor": {"prototype": {"polluted": true}}}'),
    ).toBeUndefined();
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each([`{"a": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`, `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`])(
    'reads what is a hundred thousand deep',
    (reply) => expect(find(reply)).toBeDefined(),
  );
});

it.each(['', 'See [1] and [2].', '{"other": 1}'])('finds no list in %j', (reply) =>
  expect(listInReply(reply, { list: 'items', items: ['task'] })).toBeUndefined(),
);

it.each([
  ['[see 1] ["a", " b ", "", "c", "d"]', ['a', 'b', 'c']],
  ['a, b', undefined],
  ['[1, 2]', undefined],
  ['["", " "]', undefined],
])('texts of %j: %j', (reply, texts) => expect(textsInReply(reply, { list: 'texts', max: 3 })).toEqual(texts));
/** Accepts what has a number `n`. */
function read(value: unknown): { readonly n: number } | undefined {
  const { n } = (value ?? {}) as { n?: unknown };
  return typeof n === 'number' ? { n } : undefined;
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
])('finds the last object in %j', (text) => expect(lastJson(text, read)).toEqual({ n: 1 }));

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
