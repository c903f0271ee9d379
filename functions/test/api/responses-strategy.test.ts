import type { ProviderCall } from '../../src/models/model';
import { sharedApp, startApp } from '../support/app';

/** `DEFAULT_PANEL` and `DEFAULT_MODEL` of these tests: no id of theirs asks for a strategy. */
const DEFAULTS = ['alpha', 'beta'];
const ARBITER = 'gamma';
const PARTS_OF_THE_ARBITER: ReadonlySet<string> = new Set(['analyse', 'answer']);

/** Models that write the answer, and all others that are called. */
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

const PAIR = { models: ['delta', 'epsilon'] };

/** A request, who drafts and who answers. */
const SEATS: readonly (readonly [request: object, drafts: readonly string[], answer: string])[] = [
  [{}, [], 'demo-ada'],
  [{ model: 'debate-tournament' }, [], 'debate-tournament'],
  [{ ai_ensemble: PAIR }, ['delta', 'epsilon'], 'demo-ada'],
  [{ model: 'ensemble' }, DEFAULTS, ARBITER],
  [{ model: 'ensemble-competitive-refinement' }, DEFAULTS, ARBITER],
  [{ model: 'ensemble', ai_ensemble: { models: ['delta'] } }, ['delta'], ARBITER],
  // Ids with one of the two words that are no model's.
  [{ model: 'my-ensemble-model' }, DEFAULTS, ARBITER],
  [{ model: 'my-panel', ai_ensemble: { ...PAIR, strategy: 'competitive_refinement' } }, ['delta', 'epsilon'], ARBITER],
  [{ model: 'gpt-ensemble-tuned' }, [], 'gpt-ensemble-tuned'],
];

/** A model id, what `ai_ensemble` says of the strategy, and the one that is played; which ids name which is a unit test. */
const STRATEGIES: readonly (readonly [model: string, asked: object, strategy: string])[] = [
  ['ensemble', {}, 'competitive_refinement'],
  ['ensemble-red-team-blue-team', {}, 'red_team_blue_team'],
  ['owner/hierarchical-ensemble', {}, 'hierarchical'],
  ['my-panel', {}, 'expert_panel'],
  ['debate-tournament', {}, 'competitive_refinement'],
  ['ensemble-debate-tournament', { strategy: 'hierarchical' }, 'hierarchical'],
  ['ensemble', { strategy: 'expert_panel' }, 'expert_panel'],
  ['ensemble-expert-panel', { strategy: 'competitive_refinement' }, 'competitive_refinement'],
  ['ensemble-expert-panel', { strategy: 'majority_vote' }, 'competitive_refinement'],
  ['ensemble-expert-panel', { strategy: 7 }, 'competitive_refinement'],
  ['ensemble-expert-panel', { strategy: null }, 'expert_panel'],
];

const ENV = { DEFAULT_MODEL: ARBITER, DEFAULT_PANEL: DEFAULTS.join(',') };

/**
 * Calls of a request, to the last word of their prompts. Each in a service of its own, so that the request id, which
 * seeds shuffles and fences, is the same for all.
 */
async function played(fields: Record<string, unknown>): Promise<{ status: number; calls: string[] }> {
  await using app = await startApp({ env: ENV });
  const { status, body, calls } = await app.respond(fields);
  const asked = calls.map(({ signal: _, ...call }) => JSON.stringify({ ...call, degraded: body.degraded }));
  return { status, calls: asked.sort() };
}

describe('POST /v1/responses: who takes part, and by which strategy', () => {
  const app = sharedApp({ env: ENV });

  it.each(SEATS)('%j: %j draft, %s answers', async (request, drafts, answer) => {
    const { status, calls } = await app.respond(request as Record<string, unknown>);
    expect([status, seats(calls)]).toEqual([200, { answer: [answer], others: drafts }]);
  });

  it.each(STRATEGIES)('%s with %j is played as %s', async (model, asked, strategy) => {
    for (const options of [{}, { models: ['delta', 'epsilon', 'zeta'] }]) {
      const run = await played({ model, ai_ensemble: { ...options, ...asked } });
      expect(run).toEqual(await played({ model, ai_ensemble: { ...options, strategy } }));
      expect(run.status).toBe(200);
    }
  });

  it('chat completions do not read a strategy from an id that is not virtual', async () => {
    const { body } = await app.complete({ model: 'my-panel', ai_ensemble: PAIR });
    expect(body).not.toHaveProperty('degraded');
    expect(app.models.calls).toHaveLength(3);
  });

  it('temperature and top_p go to the arbiter’s calls only', async () => {
    const { calls } = await app.respond({ temperature: 0.3, top_p: 0.9, ai_ensemble: PAIR });
    const sampling = new Map(calls.map((call) => [call.purpose, call.sampling]));
    expect(Object.fromEntries(sampling)).toEqual({ draft: {}, answer: { temperature: 0.3, topP: 0.9 } });
  });
});
