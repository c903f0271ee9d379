import type { Opening } from '../run';
import { CHAIN_ANALYSIS } from '../strategies/chain-of-thought/chain-of-thought';
import { CONTRIBUTION_ANALYSIS } from '../strategies/collaborative-synthesis';
import { DRAFT_ANALYSIS } from '../strategies/competitive-refinement';
import { VERDICT } from '../strategies/debate-tournament/prompts';
import { OPINION_ANALYSIS } from '../strategies/expert-panel/expert-panel';
import { PARTS_ANALYSIS } from '../strategies/hierarchical/prompts';
import { VERSION_ANALYSIS } from '../strategies/red-team-blue-team/red-team-blue-team';
import { type AnalysisForm, analysisSchema, analysisShape, COMPARISON, MAJORITY_RULE, parseAnalysis } from './analysis';
import { analysisPrompt } from './prompts';

const FORMS: Readonly<Record<string, AnalysisForm>> = {
  ...{ DRAFT_ANALYSIS, CONTRIBUTION_ANALYSIS, OPINION_ANALYSIS, VERDICT, PARTS_ANALYSIS, CHAIN_ANALYSIS },
  VERSION_ANALYSIS,
};

const FORM: AnalysisForm = {
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

describe('the prompt of an analysis', () => {
  const opening = { request: {}, conversation: {} } as unknown as Opening;

  it.each(Object.entries(FORMS))('%s: says once how majorities count, where agreement is asked for', (_, form) => {
    const isAsked = form.parts.some(({ key }) => key === 'agreements');
    const words = String(analysisPrompt(opening, { material: [], form }).task);
    expect(words.split(MAJORITY_RULE).length - 1).toBe(isAsked ? 1 : 0);
  });
});

describe('the shape and the schema of an analysis', () => {
  const form: AnalysisForm = { ranked: true, parts: COMPARISON };
  const text = { type: 'string' };
  const texts = { type: 'array', items: text };
  const objects = (properties: Readonly<Record<string, object>>) => ({
    type: 'array',
    items: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
  });

  it('the prompt names every field, reasons before rulings', () => {
    expect(analysisShape(form)).toBe(
      '{"agreements": [points all share], ' +
        '"conflicts": [{"point": what is disputed, "why": the step or fact that settles it, "ruling": what is right}], ' +
        '"unique": [{"point": what only one says, with its label, "mark": "confirmed", "plausible" or "likely invented"}], ' +
        '"dissent": [minority views worth mention], "missing": [what all miss or get wrong], ' +
        '"rationale": your judgement in at most 150 words, "order": all labels, best first, "winner": label of the best or null}',
    );
  });

  it('the schema demands every field and nothing else, in the same order, as strict providers want it', () => {
    const properties = {
      agreements: texts,
      conflicts: objects({ point: text, why: text, ruling: text }),
      unique: objects({ point: text, mark: { ...text, enum: ['confirmed', 'plausible', 'likely invented'] } }),
      dissent: texts,
      missing: texts,
      rationale: text,
      order: texts,
      winner: text,
    };
    const { name, schema } = analysisSchema(form);
    expect({ name, schema }).toEqual({ name: 'analysis', schema: objects(properties).items });
    expect(Object.keys(schema?.['properties'] ?? {})).toEqual(Object.keys(properties));
  });

  it.each(Object.entries(FORMS))('%s: prompt and schema name the same fields, in the same order', (_, each) => {
    const keys = (json: string, pattern: RegExp) => [...json.matchAll(pattern)].map(([, key]) => key);
    const { properties } = analysisSchema(each).schema as { properties: Record<string, { items?: object }> };
    const inSchema = Object.entries(properties).flatMap(([key, { items }]) => [
      key,
      ...Object.keys((items as { properties?: object } | undefined)?.properties ?? {}),
    ]);
    expect(keys(analysisShape(each), /"(\w+)": /g)).toEqual(inSchema);
    const last = each.ranked ? ['missing', 'rationale', 'order', 'winner'] : ['missing', 'rationale'];
    expect(Object.keys(properties).slice(-last.length)).toEqual(last);
  });

  it('one without ranking asks for no winner', () => {
    const { schema } = analysisSchema({ ...form, ranked: false });
    expect(schema?.['required']).toEqual([...COMPARISON.map(({ key }) => key), 'rationale']);
  });

  it.each(['', 'null', 'None', '  '])('a winner %j is nobody', (winner) => {
    expect(parseAnalysis(JSON.stringify({ winner, rationale: 'Even.' }), form)?.winner).toBeNull();
  });

  it.each([
    ['its reason', { point: 'Fruit?', why: 'It has seeds.', ruling: 'Yes.' }, 'Fruit? — It has seeds. — Yes.'],
    ['no reason', { point: 'Fruit?', ruling: 'Yes.' }, 'Fruit? — Yes.'],
    ['an empty reason', { point: 'Fruit?', why: ' ', ruling: 'Yes.' }, 'Fruit? — Yes.'],
    ['nothing else', 'Fruit? Yes.', 'Fruit? Yes.'],
  ])('a ruling is read with its point and %s', (_, conflict, read) => {
    const reply = JSON.stringify({ conflicts: [conflict] });
    expect(parseAnalysis(reply, form)?.lists['conflicts']).toEqual([read]);
  });

  it.each([
    [{ point: '[B]: it is a berry', mark: 'confirmed' }, '[B]: it is a berry — confirmed'],
    ['[B]: it is a berry', '[B]: it is a berry'],
  ])('a unique point %j is read with its mark, if it has one', (point, read) => {
    expect(parseAnalysis(JSON.stringify({ unique: [point] }), form)?.lists['unique']).toEqual([read]);
  });
});
