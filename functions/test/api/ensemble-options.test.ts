import { errorBody, naming } from '../support/api-errors';
import { type App, QUESTION, startApp } from '../support/app';

const PANEL = ['demo-blaise', 'demo-curie'];

/** `rounds` and `iterations` as sent (JSON text, so that any number can be written) and the rounds that must be played. */
const ROUNDS: readonly { rule: string; sent: string; rounds: number }[] = [
  { rule: 'rounds defaults to 1', sent: '', rounds: 1 },
  { rule: 'rounds 1, the lower edge', sent: '"rounds":1', rounds: 1 },
  { rule: 'rounds 2', sent: '"rounds":2', rounds: 2 },
  { rule: 'rounds 10, the upper edge', sent: '"rounds":10', rounds: 10 },
  { rule: 'rounds 11 is clamped to 10', sent: '"rounds":11', rounds: 10 },
  { rule: 'rounds beyond every number is clamped to 10', sent: '"rounds":1e999', rounds: 10 },
  { rule: 'rounds 0 is clamped to 1', sent: '"rounds":0', rounds: 1 },
  { rule: 'rounds -5 is clamped to 1', sent: '"rounds":-5', rounds: 1 },
  { rule: 'rounds below every number is clamped to 1', sent: '"rounds":-1e999', rounds: 1 },
  { rule: 'rounds 2.9 is floored to 2', sent: '"rounds":2.9', rounds: 2 },
  { rule: 'rounds 0.5 is floored, then clamped to 1', sent: '"rounds":0.5', rounds: 1 },
  { rule: 'rounds 10.9 is floored to 10', sent: '"rounds":10.9', rounds: 10 },
  { rule: 'rounds "3" is no number: 1', sent: '"rounds":"3"', rounds: 1 },
  { rule: 'rounds "NaN" is no number: 1', sent: '"rounds":"NaN"', rounds: 1 },
  { rule: 'rounds true is no number: 1', sent: '"rounds":true', rounds: 1 },
  { rule: 'rounds [3] is no number: 1', sent: '"rounds":[3]', rounds: 1 },
  { rule: 'rounds {} is no number: 1', sent: '"rounds":{}', rounds: 1 },
  { rule: 'rounds null is absent: 1', sent: '"rounds":null', rounds: 1 },
  { rule: 'iterations is an alias of rounds', sent: '"iterations":3', rounds: 3 },
  { rule: 'iterations is clamped like rounds', sent: '"iterations":99', rounds: 10 },
  { rule: 'iterations is floored like rounds', sent: '"iterations":3.99', rounds: 3 },
  { rule: 'iterations wins over rounds', sent: '"rounds":4,"iterations":2', rounds: 2 },
  { rule: 'iterations wins over rounds also when it comes first', sent: '"iterations":3,"rounds":1', rounds: 3 },
  { rule: 'iterations wins even when it is no number', sent: '"rounds":4,"iterations":"3"', rounds: 1 },
  { rule: 'iterations null is absent, so rounds counts', sent: '"rounds":3,"iterations":null', rounds: 3 },
];

/** An unknown strategy is the default one, silently: the default's number of calls. */
const UNKNOWN_STRATEGIES: readonly { rule: string; strategy: unknown }[] = [
  { rule: 'strategy defaults to competitive_refinement', strategy: undefined },
  { rule: 'competitive_refinement by its name', strategy: 'competitive_refinement' },
  { rule: 'an unknown strategy silently falls back', strategy: 'majority_vote' },
  { rule: 'a strategy in other letters is unknown', strategy: 'Expert_Panel' },
  { rule: 'an empty strategy is unknown', strategy: '' },
  { rule: 'a strategy that is no text is unknown', strategy: 3 },
  { rule: 'a strategy that is an object is unknown', strategy: { name: 'expert_panel' } },
  { rule: 'strategy null is absent', strategy: null },
];

const REFUSED: readonly { rule: string; options: Record<string, unknown>; expected: unknown }[] = [
  { rule: 'models is an array', options: { models: 'demo-ada' }, expected: naming('ai_ensemble.models') },
  { rule: 'models is no object', options: { models: { id: 'x' } }, expected: naming('ai_ensemble.models') },
  {
    rule: 'includeCandidates is a boolean',
    options: { includeCandidates: 'yes' },
    expected: naming('ai_ensemble.includeCandidates'),
  },
  {
    rule: 'includeReasoning is a boolean',
    options: { includeReasoning: 1 },
    expected: naming('ai_ensemble.includeReasoning'),
  },
  {
    rule: 'includeFollowUpPrompts is a boolean',
    options: { includeFollowUpPrompts: 'true' },
    expected: naming('ai_ensemble.includeFollowUpPrompts'),
  },
  {
    rule: 'systemPrompt is a string',
    options: { systemPrompt: ['Be brief.'] },
    expected: naming('ai_ensemble.systemPrompt'),
  },
  ...[{}, { id: '' }, { id: 5 }, { name: null }, '', 7, null, ['demo-ada']].map((entry) => ({
    rule: `a models entry with neither id nor name is refused by its index: ${JSON.stringify(entry)}`,
    options: { models: ['demo-ada', entry] },
    expected: naming('ai_ensemble.models[1]'),
  })),
  ...[0, 3, -1, 1.5, '1', true].map((quorum) => ({
    rule: `a quorum of two participants is 1 or 2, not ${JSON.stringify(quorum)}`,
    options: { models: PANEL, quorum },
    expected: errorBody('Invalid ai_ensemble.quorum: must be an integer from 1 to the number of participants'),
  })),
  ...[-0.1, 525.1, '5', true].map((graceSeconds) => ({
    rule: `a grace is 0 to 525 seconds, not ${JSON.stringify(graceSeconds)}`,
    options: { graceSeconds },
    expected: errorBody('Invalid ai_ensemble.graceSeconds: must be between 0 and 525'),
  })),
  ...[0, -1, '1', true].map((maxCostUsd) => ({
    rule: `a cap on the cost is above 0, not ${JSON.stringify(maxCostUsd)}`,
    options: { maxCostUsd },
    expected: errorBody('Invalid ai_ensemble.maxCostUsd: must be a number above 0'),
  })),
  ...[0, 0.9, 525.1, '5', true].map((maxSeconds) => ({
    rule: `a cap on the time is 1 to 525 seconds, not ${JSON.stringify(maxSeconds)}`,
    options: { maxSeconds },
    expected: errorBody('Invalid ai_ensemble.maxSeconds: must be between 1 and 525'),
  })),
  {
    // Six tokens of the question and four of the turn at $0.1, fifty of an answer at $0.4 a million.
    rule: 'a cap below the least that one answer costs',
    options: { maxCostUsd: 0.00002 },
    expected: errorBody('Invalid ai_ensemble.maxCostUsd: one answer alone costs at least $0.0000209'),
  },
  { rule: 'includeTrace is a boolean', options: { includeTrace: 1 }, expected: naming('ai_ensemble.includeTrace') },
  { rule: 'dryRun is a boolean', options: { dryRun: 'yes' }, expected: naming('ai_ensemble.dryRun') },
  {
    rule: 'at most 16 participants',
    options: { models: Array.from({ length: 17 }, () => 'demo-ada') },
    expected: errorBody('Invalid ai_ensemble.models: at most 16 models'),
  },
];

describe('POST /v1/chat/completions: ai_ensemble', () => {
  let app: App;
  beforeAll(async () => {
    app = await startApp();
  });
  beforeEach(() => app.models.reset());
  afterAll(() => app.close());

  it.each(ROUNDS)('$rule', async ({ sent, rounds }) => {
    const messages = JSON.stringify([{ role: 'user', content: QUESTION }]);
    const options = `{"models":["demo-blaise","demo-curie"]${sent && `,${sent}`}}`;
    const { status, calls } = await app.complete(
      `{"model":"demo-ada","messages":${messages},"ai_ensemble":${options}}`,
    );
    expect(status).toBe(200);
    // Two participants in every round, then one answer: n·r + 1.
    expect(calls).toHaveLength(2 * rounds + 1);
  });

  it.each(UNKNOWN_STRATEGIES)('$rule', async ({ strategy }) => {
    const { status, body, calls } = await app.complete({ ai_ensemble: { strategy, models: PANEL, rounds: 2 } });
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('degraded');
    expect(calls).toHaveLength(2 * 2 + 1);
  });

  it.each(REFUSED)('$rule (400)', async ({ options, expected }) => {
    const { status, body, calls } = await app.complete({ ai_ensemble: options });
    expect({ status, body }).toEqual({ status: 400, body: expected });
    expect(calls).toEqual([]);
  });

  it('unknown extra properties are accepted and ignored', async () => {
    const { status, calls } = await app.complete({ ai_ensemble: { mode: 'turbo', judge: { id: 1 }, Rounds: 9 } });
    expect(status).toBe(200);
    expect(calls).toHaveLength(1);
  });

  it('explicit nulls mean absent', async () => {
    const options = {
      strategy: null,
      rounds: null,
      iterations: null,
      models: null,
      includeFollowUpPrompts: null,
      includeCandidates: null,
      includeReasoning: null,
      systemPrompt: null,
    };
    const { status, calls } = await app.complete({ ai_ensemble: options });
    expect(status).toBe(200);
    expect(calls.map(({ purpose, prompt }) => ({ purpose, prompt }))).toEqual([
      { purpose: 'answer', prompt: { turns: [{ role: 'user', text: QUESTION }] } },
    ]);
  });
});
