import type { Analysis, AnalysisForm } from './analysis';
import { explain, withNames } from './explanation';

const NAMES = new Map([
  ['A', 'Ada'],
  ['B', 'Blaise'],
  ['AA', 'Curie'],
  ['B2', 'Dirac'],
]);
const FORM: AnalysisForm = {
  noun: 'candidate',
  ranked: true,
  parts: [
    { key: 'agreements', title: 'Agreed', ask: '' },
    { key: 'dissent', title: 'Dissent', ask: '' },
  ],
};
const ANALYSIS: Analysis = {
  winner: 'B',
  order: ['B', 'A'],
  lists: { dissent: ['A: it is a vegetable', 'none of it is red'] },
  rationale: 'Candidate B names the ruling.',
};

describe('explain', () => {
  it('tells the winner and every part by name, not by label', () => {
    expect(explain(ANALYSIS, FORM, NAMES)).toEqual([
      { lines: ['Strongest answer: Blaise.', 'Blaise names the ruling.'] },
      { title: 'Agreed', lines: [] },
      { title: 'Dissent', lines: ['Ada: it is a vegetable', 'none of it is red'] },
    ]);
  });

  it.each([
    ['no winner', null],
    ['a label nobody has', 'Z'],
    ['something else', 'toString'],
  ])('names none for %s', (_, winner) => {
    expect(explain({ ...ANALYSIS, winner, rationale: '' }, FORM, NAMES)[0]).toEqual({ lines: [] });
  });
});

describe('withNames', () => {
  it.each([
    ['Candidate B is right.', 'Blaise is right.'],
    ['I prefer answer A to draft B.', 'I prefer Ada to Blaise.'],
    ['Drafts AA and A', 'Curie and A'],
    ['It is true (B), and [A] agrees.', 'It is true (Blaise), and [Ada] agrees.'],
    ['B: it is red', 'Blaise: it is red'],
    ['B, with reasons', 'Blaise, with reasons'],
    ['A > B', 'Ada > B'],
    ['A — it is red', 'Ada — it is red'],
    ['B', 'Blaise'],
    ['first line\nB2: second', 'first line\nDirac: second'],
    ['Opinion B2 stands.', 'Dirac stands.'],
    ['Solution AA holds', 'Curie holds'],
  ])('%j reads %j', (text, named) => expect(withNames(text, NAMES)).toBe(named));

  it.each([
    'A tomato is a fruit.',
    'Vitamin A is in it.',
    'Plan B was dropped.',
    'candidate C is unknown',
    '(C)',
    'candidate AB',
    'the answer Absent',
    'B-movies',
    'type B2 is meant',
  ])('leaves %j alone', (text) => expect(withNames(text, NAMES)).toBe(text));

  it('takes a name as it is, also one with replacement patterns', () => {
    expect(withNames('candidate A', new Map([['A', "$& $1 $'"]]))).toBe("$& $1 $'");
  });

  it('takes no name from the prototype', () => expect(withNames('(AA)', new Map())).toBe('(AA)'));

  it.each([
    ['labels', 'A\n'.repeat(200_000)],
    ['brackets', '['.repeat(500_000)],
    ['blanks behind a label', `A${' '.repeat(500_000)}x`],
    ['nouns', 'candidate '.repeat(50_000)],
  ])('comes to an end with very many %s', (_, text) => expect(withNames(text, new Map())).toBe(text));
});
