import { majorityStays } from './answers-agree';

const FORM = { name: 'verdict', schema: {} };

/** Counts texts one by one; tells after how many the answer of most stays, of so many in all. */
function settledAfter(texts: readonly string[], calls: number, form?: typeof FORM): number | undefined {
  const places = texts.map((_, place) => place + 1);
  const given = texts.map((text) => ({ text }));
  return places.find((count) => majorityStays(given.slice(0, count), form, calls - count));
}

describe('the answer that most have given stays', () => {
  const prose = 'Well.\nThat depends.';
  it.each<[rule: string, texts: readonly string[], calls: number, after: number | undefined]>([
    ['of three after two', ['42', '42.'], 3, 2],
    ['of three after all where they differ first', ['42', '43', '42'], 3, 3],
    ['never where all differ', ['42', '43', '44'], 3, undefined],
    ['of five after three', ['42', '42', '42'], 5, 3],
    ['of five after four where one differs', ['42', '43', '42', '42'], 5, 4],
    ['of five not after two and two', ['42', '43', '42', '43'], 5, undefined],
    ['of sixteen after nine', Array(9).fill('42'), 16, 9],
    ['of six after five, without half of all', ['42', '43', '44', '42', '42'], 6, 5],
    ['of two never before both', ['42'], 2, undefined],
    ['as stated below steps', ['1. Six by seven.\n\nANSWER: 42', 'ANSWER: 42'], 3, 2],
    // The prose may hold the other answer once more.
    ['not beside prose that may say something else', ['42', '43', prose, '42', '42'], 6, undefined],
    ['never for prose', [prose, prose], 3, undefined],
  ])('%s', (_, texts, calls, after) => expect(settledAfter(texts, calls)).toBe(after));

  it.each<[rule: string, texts: readonly string[], after: number | undefined]>([
    ['whatever its spaces and the order of its names', ['{"a": 1, "b": 2}', 'So:\n{"b": 2, "a": 1.0}'], 2],
    ['not where one value differs', ['{"a": 1, "b": 2}', '{"a": 1, "b": 3}'], undefined],
    ['not where there is no JSON', ['It is 1.', 'It is 1.'], undefined],
    ['not where it is too long to be compared', Array(2).fill(`"${'x'.repeat(600_000)}"`), undefined],
  ])('of three with a form, by the values of its JSON: %s', (_, texts, after) => {
    expect(settledAfter(texts, 3, FORM)).toBe(after);
  });

  it('a text that is cut off may say anything', () => {
    const texts = [{ text: '42' }, { text: '42' }, { text: '42', isCut: true }];
    expect(majorityStays(texts, undefined, 1)).toBe(false);
    expect(majorityStays([...texts, { text: '42' }], undefined, 1)).toBe(true);
  });
});
