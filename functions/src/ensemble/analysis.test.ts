import { parseAnalysis, parseStringList } from './analysis';

const FULL = {
  winner: 'A',
  order: ['A', 'B'],
  agreements: [],
  conflicts: [],
  unique: [],
  dissent: ['B doubts'],
  rationale: 'A is right.',
};

describe('parseAnalysis', () => {
  it.each([
    ['plain JSON', JSON.stringify(FULL)],
    ['a code fence', `\`\`\`json\n${JSON.stringify(FULL)}\n\`\`\``],
    ['prose around it', `Here you are: ${JSON.stringify(FULL)} I hope it helps.`],
    ['trailing commas', '{"winner":"A","order":["A","B",],"dissent":["B doubts"],"rationale":"A is right.",}'],
  ])('reads %s', (_, reply) => expect(parseAnalysis(reply)).toEqual(FULL));

  it('takes a part it cannot read as empty', () => {
    const reply = '{"winner":7,"order":"A","conflicts":[{"point":1}],"rationale":"A is right."}';
    expect(parseAnalysis(reply)).toEqual({ ...FULL, winner: null, order: [], dissent: [] });
  });

  it.each(['', 'A is best.', '[]', '{}', '{"rationale":""}', '{"rationale": "cut', '}{'])(
    'finds nothing in %j',
    (reply) => {
      expect(parseAnalysis(reply)).toBeUndefined();
    },
  );
});

describe('parseStringList', () => {
  it.each([
    ['["a", " b ", "", "c", "d"]', ['a', 'b', 'c']],
    ['```\n["a"]\n```', ['a']],
  ])('reads at most three of %j', (reply, list) => expect(parseStringList(reply, 3)).toEqual(list));

  it.each(['a, b', '[]', '[1, 2]', '["", " "]'])('finds nothing in %j', (reply) =>
    expect(parseStringList(reply, 3)).toBeUndefined(),
  );
});
