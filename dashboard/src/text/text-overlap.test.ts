import { overlapOf, wordsOf } from './text-overlap';

const DRAFTS = [
  'A tomato is a fruit. It holds seeds.',
  'In the kitchen, a tomato is a vegetable.',
  '番茄是水果。它有种子。',
];

describe('the overlap of an answer with drafts', () => {
  it('finds each sentence in the drafts that hold most of its pairs of words, in any case and punctuation', () => {
    const { sentences } = overlapOf(
      'In the KITCHEN a tomato is a vegetable! It holds seeds. Nobody says this.',
      DRAFTS,
    );
    expect(sentences).toEqual([
      { text: 'In the KITCHEN a tomato is a vegetable!', in: [1] },
      { text: 'It holds seeds.', in: [0] },
      { text: 'Nobody says this.', in: [] },
    ]);
  });

  it('counts the share of all pairs: of “a tomato is red” two in three stand in either draft in English', () => {
    expect(overlapOf('A tomato is red.', DRAFTS).shares).toEqual([2 / 3, 2 / 3, 0]);
  });

  it('tells sentences and words apart in writing without spaces', () => {
    const { sentences } = overlapOf('它有种子。番茄很红。', DRAFTS);
    expect(sentences.map((one) => one.in)).toEqual([[2], []]);
    expect(wordsOf('番茄是水果').length).toBeGreaterThan(1);
  });

  it('finds nothing in texts without words, and compares a single word by itself', () => {
    expect(overlapOf('… — !', DRAFTS)).toEqual({ sentences: [], shares: [0, 0, 0], isCut: false });
    expect(overlapOf('Yes.', ['Yes', 'No']).sentences).toEqual([{ text: 'Yes.', in: [0] }]);
  });

  it('compares a part of a text without end, and says so', () => {
    const { sentences, isCut } = overlapOf('Word after word. '.repeat(100_000), ['Word after word.']);
    expect([sentences.length, isCut]).toEqual([400, true]);
  });
});
