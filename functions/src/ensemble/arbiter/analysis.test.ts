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

// Replies of every kind are read in `test/replies`.
it('an analysis takes no field from the prototype, and is none where it only has an order', () => {
  const form: AnalysisForm = { ranked: true, parts: [{ key: 'toString', title: 'Text', ask: 'anything' }] };
  const reply = '{"__proto__":{"winner":"B","toString":["forged"]},"constructor":["x"],"rationale":"A is right."}';
  expect(parseAnalysis(reply, form)).toMatchObject({ winner: null, lists: { toString: [] } });
  expect(parseAnalysis('{"order":["A","B"],"winner":" ","rationale":""}', form)).toBeUndefined();
});

describe('the prompt of an analysis', () => {
  const opening = { request: { panel: { participants: [] } }, conversation: {} } as unknown as Opening;

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

  it('the schema demands every field and nothing else, in the same order, as strict providers want it', () => {
    const properties = {
      agreements: texts,
      conflicts: objects({ point: text, why: text, ruling: text }),
      unique: objects({
        label: text,
        point: text,
        mark: { ...text, enum: ['confirmed', 'plausible', 'likely invented'] },
      }),
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
});
