import type { ProviderCall } from '../../src/models/model';
import { type App, startApp } from '../support/app';

/** `DEFAULT_PANEL` and `DEFAULT_MODEL` of these tests: no id of theirs asks for a strategy. */
const DEFAULTS = ['alpha', 'beta'];
const ARBITER = 'gamma';
const PARTS_OF_THE_ARBITER: ReadonlySet<string> = new Set(['analyse', 'answer']);

/** Who writes the answer, and whoever else is asked for anything. */
function seats(calls: readonly ProviderCall[]): { answer: string[]; others: string[] } {
  const of = (arbiters: boolean): string[] => [
    ...new Set(
      calls
        .filter(({ purpose }) => PARTS_OF_THE_ARBITER.has(purpose) === arbiters)
        .map(({ providerModel }) => providerModel),
    ),
  ];
  return { answer: of(true), others: of(false) };
}

interface Row {
  readonly rule: string;
  readonly request: Record<string, unknown>;
  readonly drafts: readonly string[];
  readonly answer: string;
}

const SEATS: readonly Row[] = [
  { rule: 'neither word in model: that model alone, one call', request: {}, drafts: [], answer: 'demo-ada' },
  {
    rule: 'a strategy’s name without either word is a model id like any other',
    request: { model: 'debate-tournament' },
    drafts: [],
    answer: 'debate-tournament',
  },
  {
    rule: 'a single model with participants named: they draft, it answers',
    request: { ai_ensemble: { models: ['delta', 'epsilon'] } },
    drafts: ['delta', 'epsilon'],
    answer: 'demo-ada',
  },
  {
    rule: '“ensemble” is the default panel and arbiter',
    request: { model: 'ensemble' },
    drafts: DEFAULTS,
    answer: ARBITER,
  },
  {
    rule: '“ensemble-competitive-refinement” likewise',
    request: { model: 'ensemble-competitive-refinement' },
    drafts: DEFAULTS,
    answer: ARBITER,
  },
  {
    rule: 'explicit models override the default panel',
    request: { model: 'ensemble', ai_ensemble: { models: ['delta'] } },
    drafts: ['delta'],
    answer: ARBITER,
  },
  {
    rule: 'an id with “ensemble” that is no model’s is the default panel and arbiter',
    request: { model: 'my-ensemble-model' },
    drafts: DEFAULTS,
    answer: ARBITER,
  },
  {
    rule: 'such an id with “panel” likewise, over the participants named',
    request: { model: 'my-panel', ai_ensemble: { models: ['delta', 'epsilon'], strategy: 'competitive_refinement' } },
    drafts: ['delta', 'epsilon'],
    answer: ARBITER,
  },
  {
    rule: 'a model’s id with “ensemble” in it stays what it is',
    request: { model: 'gpt-ensemble-tuned' },
    drafts: [],
    answer: 'gpt-ensemble-tuned',
  },
];

/** A model id, and the strategy it must be played by when `ai_ensemble.strategy` is omitted. */
const DETECTED: readonly { model: string; strategy: string }[] = [
  { model: 'ensemble', strategy: 'competitive_refinement' },
  { model: 'ensemble-competitive-refinement', strategy: 'competitive_refinement' },
  { model: 'ensemble-collaborative-synthesis', strategy: 'collaborative_synthesis' },
  { model: 'ensemble-expert-panel', strategy: 'expert_panel' },
  { model: 'ensemble-debate-tournament', strategy: 'debate_tournament' },
  { model: 'ensemble-hierarchical', strategy: 'hierarchical' },
  { model: 'ensemble-chain-of-thought', strategy: 'chain_of_thought' },
  { model: 'ensemble-red-team-blue-team', strategy: 'red_team_blue_team' },
  { model: 'ensemble_debate_tournament', strategy: 'debate_tournament' },
  { model: 'owner/hierarchical-ensemble', strategy: 'hierarchical' },
  { model: 'my-ensemble-model', strategy: 'competitive_refinement' },
  { model: 'my-panel', strategy: 'expert_panel' },
  { model: 'ensemble-panel', strategy: 'expert_panel' },
  { model: 'expert_panel', strategy: 'expert_panel' },
  { model: 'gpt-panel-red_team_blue_team', strategy: 'red_team_blue_team' },
  { model: 'demo-ada', strategy: 'competitive_refinement' },
  { model: 'debate-tournament', strategy: 'competitive_refinement' },
];

const ENV = { DEFAULT_MODEL: ARBITER, DEFAULT_PANEL: DEFAULTS.join(',') };

/**
 * How a request is played, to the last word of its prompts. Each in a service of its own, so that the request id, which
 * seeds shuffles and fences, is the same for all.
 */
async function played(fields: Record<string, unknown>): Promise<{ status: number; calls: string[] }> {
  await using app = await startApp({ env: ENV });
  const { status, body, calls } = await app.respond(fields);
  const asked = calls.map(({ signal: _, ...call }) => JSON.stringify({ ...call, degraded: body.degraded }));
  return { status, calls: asked.sort() };
}

describe('POST /v1/responses: who takes part, and by which strategy', () => {
  let app: App;
  beforeAll(async () => {
    app = await startApp({ env: ENV });
  });
  beforeEach(() => app.models.reset());
  afterAll(() => app.close());

  it.each(SEATS)('$rule', async ({ request, drafts, answer }) => {
    const { status, calls } = await app.respond(request);
    expect(status).toBe(200);
    expect(seats(calls)).toEqual({ answer: [answer], others: drafts });
  });

  it.each(DETECTED)('$model without a strategy is played as $strategy', async ({ model, strategy }) => {
    const detected = await played({ model });
    expect(detected).toEqual(await played({ model, ai_ensemble: { strategy } }));
    expect(detected).toMatchObject({ status: 200 });
  });

  it.each(DETECTED)('$model with participants and no strategy is played as $strategy', async ({ model, strategy }) => {
    const models = ['delta', 'epsilon', 'zeta'];
    expect(await played({ model, ai_ensemble: { models } })).toEqual(
      await played({ model, ai_ensemble: { models, strategy } }),
    );
  });

  it.each([
    { rule: 'over a named strategy', model: 'ensemble-debate-tournament', strategy: 'hierarchical' },
    { rule: 'over “panel”', model: 'ensemble-expert-panel', strategy: 'debate_tournament' },
    { rule: 'over “ensemble”', model: 'ensemble', strategy: 'expert_panel' },
    { rule: 'also as the default strategy', model: 'ensemble-expert-panel', strategy: 'competitive_refinement' },
  ])('an explicit strategy wins: $rule', async ({ model, strategy }) => {
    const models = ['delta', 'epsilon', 'zeta'];
    const explicit = await played({ model, ai_ensemble: { models, strategy } });
    const named = `ensemble-${strategy.replaceAll('_', '-')}`;
    expect(explicit).toEqual(await played({ model: named, ai_ensemble: { models } }));
    expect(explicit).not.toEqual(await played({ model, ai_ensemble: { models } }));
  });

  it.each([
    { rule: 'unknown', strategy: 'majority_vote' },
    { rule: 'no text', strategy: 7 },
  ])('an explicit strategy that is $rule is the default one, as on chat', async ({ strategy }) => {
    const model = 'ensemble-expert-panel';
    expect(await played({ model, ai_ensemble: { strategy } })).toEqual(
      await played({ model, ai_ensemble: { strategy: 'competitive_refinement' } }),
    );
  });

  it('strategy null is omitted: the model is read', async () => {
    const model = 'ensemble-expert-panel';
    expect(await played({ model, ai_ensemble: { strategy: null } })).toEqual(await played({ model }));
  });

  it('chat completions do not read a strategy from an id that is not virtual', async () => {
    const { body } = await app.complete({ model: 'my-panel', ai_ensemble: { models: ['delta', 'epsilon'] } });
    expect(body).not.toHaveProperty('degraded');
    expect(app.models.calls).toHaveLength(3);
  });

  it.each([
    { rule: 'rounds', options: { rounds: 2 }, calls: 5 },
    { rule: 'iterations, which win', options: { rounds: 9, iterations: 3 }, calls: 7 },
    { rule: 'rounds clamped to 10', options: { rounds: 11 }, calls: 21 },
    { rule: 'rounds that are no number', options: { rounds: '3' }, calls: 3 },
  ])('ai_ensemble is read as on chat: $rule', async ({ options, calls }) => {
    const reply = await app.respond({ ai_ensemble: { models: ['delta', 'epsilon'], ...options } });
    expect(reply.status).toBe(200);
    expect(reply.calls).toHaveLength(calls);
  });

  it.each([
    { rule: 'absent: no instructions', systemPrompt: undefined, expected: undefined },
    { rule: 'empty counts as absent', systemPrompt: '', expected: undefined },
    { rule: 'given: they are the arbiter’s', systemPrompt: 'Be kind.', expected: 'Be kind.' },
    { rule: 'cut at 100000 characters', systemPrompt: 'a'.repeat(100_001), expected: 'a'.repeat(100_000) },
  ])('ai_ensemble.systemPrompt $rule', async ({ systemPrompt, expected }) => {
    const { calls } = await app.respond({ ai_ensemble: { systemPrompt } });
    expect(calls.map(({ prompt }) => prompt.system)).toEqual([expected]);
  });

  it('temperature and top_p go to the arbiter’s calls only', async () => {
    const { calls } = await app.respond({
      temperature: 0.3,
      top_p: 0.9,
      ai_ensemble: { models: ['delta', 'epsilon'] },
    });
    const sampling = new Map(calls.map((call) => [call.purpose, call.sampling]));
    expect(Object.fromEntries(sampling)).toEqual({ draft: {}, answer: { temperature: 0.3, topP: 0.9 } });
  });
});
