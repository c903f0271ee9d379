import { type AnalysisForm, analysisSchema, analysisShape, parseAnalysis } from './analysis';

const FORM: AnalysisForm = {
  noun: 'candidate',
  ranked: true,
  parts: [
    { key: 'agreements', title: 'Agreed', ask: 'points all share' },
    { key: 'dissent', title: 'Dissent', ask: 'minority views' },
  ],
};

const FULL = { winner: 'A', order: ['A', 'B'], agreements: [], dissent: ['B doubts'], rationale: 'A is right.' };
const READ = {
  winner: 'A',
  order: ['A', 'B'],
  lists: { agreements: [], dissent: ['B doubts'] },
  rationale: 'A is right.',
};

describe('parseAnalysis', () => {
  it.each([
    ['plain JSON', JSON.stringify(FULL)],
    ['a code fence', `\`\`\`json\n${JSON.stringify(FULL)}\n\`\`\``],
    ['prose around it', `Here you are: ${JSON.stringify(FULL)} I hope it helps.`],
    ['trailing commas', '{"winner":"A","order":["A","B",],"dissent":["B doubts"],"rationale":"A is right.",}'],
    ['blanks around words', '{"winner":" A ","order":["A","B"],"dissent":[" B doubts "],"rationale":" A is right. "}'],
    ['a lone text where a list was asked for', JSON.stringify({ ...FULL, dissent: 'B doubts' })],
    ['a list nobody asked for', JSON.stringify({ ...FULL, praise: ['well done'] })],
  ])('reads %s', (_, reply) => expect(parseAnalysis(reply, FORM)).toEqual(READ));

  it('takes a part it cannot read as empty', () => {
    const reply = '{"winner":7,"order":7,"dissent":[3,null],"rationale":"A is right."}';
    const unread = { ...READ, winner: null, order: [], lists: { agreements: [], dissent: [] } };
    expect(parseAnalysis(reply, FORM)).toEqual(unread);
  });

  it('joins the fields of an object where a text was asked for', () => {
    const reply = '{"dissent":[{"point":"the colour","weight":2,"ruling":"it is red"}]}';
    expect(parseAnalysis(reply, FORM)?.lists['dissent']).toEqual(['the colour — it is red']);
  });

  it.each([
    ['nothing', ''],
    ['prose', 'A is best.'],
    ['a list', '[]'],
    ['an empty object', '{}'],
    ['an empty rationale', '{"rationale":""}'],
    ['an order alone', '{"order":["A","B"]}'],
    ['regression: a winner without a name', '{"winner":" "}'],
    ['a reply that is cut off', '{"rationale": "cut'],
    ['brackets the wrong way round', '}{'],
  ])('finds nothing in %s', (_, reply) => expect(parseAnalysis(reply, FORM)).toBeUndefined());

  it.each(['{"winner":"A"}', '{"dissent":["B doubts"]}', '{"rationale":"A is right."}'])(
    'is content with one part: %s',
    (reply) => expect(parseAnalysis(reply, FORM)).toBeDefined(),
  );

  it('never takes a field from the prototype', () => {
    const form: AnalysisForm = { ...FORM, parts: [{ key: 'toString', title: 'Text', ask: 'anything' }] };
    const reply = '{"__proto__":{"winner":"B","dissent":["forged"]},"constructor":["x"],"rationale":"A is right."}';
    expect(parseAnalysis(reply, FORM)).toEqual({
      ...READ,
      winner: null,
      order: [],
      lists: { agreements: [], dissent: [] },
    });
    expect(parseAnalysis(reply, form)?.lists).toEqual({ toString: [] });
  });
});

describe('analysisShape', () => {
  it('names every part with what belongs in it', () => {
    expect(analysisShape(FORM)).toBe(
      '{"winner": label of the best candidate or null, "order": all labels from best to worst, "agreements": points all share, "dissent": minority views, "rationale": your judgement in at most 150 words}',
    );
  });

  it('asks for no winner where nobody is ranked', () => {
    expect(analysisShape({ ...FORM, ranked: false, parts: [] })).toBe(
      '{"rationale": your judgement in at most 150 words}',
    );
  });
});

describe('the shape and the schema of an analysis', () => {
  const form: AnalysisForm = {
    noun: 'candidate',
    ranked: true,
    parts: [
      { key: 'agreements', title: 'Agreed', ask: 'points all share' },
      { key: 'conflicts', title: 'Conflicts', ask: 'what is disputed', rulings: true },
    ],
  };

  it('the prompt names every field', () => {
    expect(analysisShape(form)).toBe(
      '{"winner": label of the best candidate or null, "order": all labels from best to worst, ' +
        '"agreements": points all share, "conflicts": [{"point": what is disputed, "ruling": what is right and why}], ' +
        '"rationale": your judgement in at most 150 words}',
    );
  });

  it('the schema demands every field and nothing else, as strict providers want it', () => {
    const text = { type: 'string' };
    const texts = { type: 'array', items: text };
    const ruling = {
      type: 'object',
      properties: { point: text, ruling: text },
      required: ['point', 'ruling'],
      additionalProperties: false,
    };
    expect(analysisSchema(form)).toEqual({
      name: 'analysis',
      schema: {
        type: 'object',
        properties: {
          winner: text,
          order: texts,
          agreements: texts,
          conflicts: { type: 'array', items: ruling },
          rationale: text,
        },
        required: ['winner', 'order', 'agreements', 'conflicts', 'rationale'],
        additionalProperties: false,
      },
    });
  });

  it('one without ranking asks for no winner', () => {
    const { schema } = analysisSchema({ ...form, ranked: false });
    expect(schema?.['required']).toEqual(['agreements', 'conflicts', 'rationale']);
  });

  it.each(['', 'null', 'None', '  '])('a winner %j is nobody', (winner) => {
    expect(parseAnalysis(JSON.stringify({ winner, rationale: 'Even.' }), form)?.winner).toBeNull();
  });

  it('a ruling is read with its point', () => {
    const reply = JSON.stringify({ conflicts: [{ point: 'Fruit?', ruling: 'Yes.' }] });
    expect(parseAnalysis(reply, form)?.lists['conflicts']).toEqual(['Fruit? — Yes.']);
  });
});
