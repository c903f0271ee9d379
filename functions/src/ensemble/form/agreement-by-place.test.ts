import { agreementByPlace } from './agreement-by-place';

const ANSWER = JSON.stringify({ 'a/b': 1, 'c~d': { e: [true, null] }, empty: [], text: 'x' });

it('tells by RFC 6901 pointer how many say the same', () => {
  expect(agreementByPlace(ANSWER, [ANSWER])).toEqual({
    '/a~1b': 1,
    '/c~0d/e/0': 1,
    '/c~0d/e/1': 1,
    '/empty': 1,
    '/text': 1,
  });
});

it.each<[rule: string, candidate: string, share: number]>([
  ['the same number written otherwise', '{"n": 1.0}', 1],
  ['a text that looks the same', '{"n": "1"}', 0],
  ['prose', 'It is 1.', 0],
  ['two objects, of which the last counts', '{"n": 2} {"n": 1}', 1],
  ['a list where an object is', '[1]', 0],
  ['more in its place', '{"n": {"n": 1}}', 0],
  ['an inherited name', '{"__proto__": {"n": 1}}', 0],
  ['a long list before it', JSON.stringify({ list: Array(5_000).fill(1), n: 1 }), 1],
  ['a long name before it', JSON.stringify({ ['x'.repeat(100_001)]: 2, n: 1 }), 1],
])('%s', (_, candidate, share) => {
  expect(agreementByPlace('{"n": 1}', [candidate])).toEqual({ '/n': share });
});

it('tells an item of a list from a value of that name', () => {
  expect(agreementByPlace('["a"]', ['["a"]', '{"0": "a"}'])).toEqual({ '/0': 0.5 });
});

it('of names that objects inherit tells what is said under them', () => {
  const answer = '{"__proto__": 1, "toString": 2}';
  expect(agreementByPlace(answer, ['{}', answer])).toEqual({ '/__proto__': 0.5, '/toString': 0.5 });
});

it('of a single value is told at the empty pointer', () => {
  expect(agreementByPlace('7', ['7', '8', 'seven'])).toEqual({ '': 0.3333 });
});

it('is none without candidates, or where the answer is no JSON', () => {
  expect(agreementByPlace(ANSWER, [])).toBeUndefined();
  expect(agreementByPlace('A berry.', [ANSWER])).toBeUndefined();
});

it('tells of the first 1,000 values, and of long names fewer', () => {
  const many = JSON.stringify(Array(5_000).fill(1));
  expect(Object.keys(agreementByPlace(many, [many]) ?? {})).toHaveLength(1_000);
  const long = JSON.stringify({ ['x'.repeat(30_000)]: Array(5_000).fill(1) });
  expect(Object.keys(agreementByPlace(long, [long]) ?? {})).toHaveLength(3);
});

it('is none of texts that are too long to be compared while others wait', () => {
  const text = JSON.stringify({ a: 'x'.repeat(30_000) });
  expect(agreementByPlace(text, Array(15).fill(text))).toEqual({ '/a': 1 });
  expect(agreementByPlace(text, Array(16).fill(text))).toBeUndefined();
});

it('of lists within lists tells of no more than 3,000 of either', () => {
  const deep = JSON.stringify(Array(500).fill([[[[[[[[[1]]]]]]]]]));
  expect(Object.keys(agreementByPlace(deep, [deep]) ?? {})).toHaveLength(299);
});
