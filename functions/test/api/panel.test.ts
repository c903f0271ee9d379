import type { ProviderCall } from '../../src/models/model';
import { sharedApp, startApp } from '../support/app';
import { fakeClock } from '../support/fake-clock';
import { scriptedModels } from '../support/scripted-models';

const PARTS_OF_PARTICIPANTS: ReadonlySet<string> = new Set(['draft', 'revise']);

function participants(calls: readonly ProviderCall[]): string[] {
  return calls.filter(({ purpose }) => PARTS_OF_PARTICIPANTS.has(purpose)).map(({ providerModel }) => providerModel);
}

function arbiters(calls: readonly ProviderCall[]): string[] {
  return calls.filter(({ purpose }) => !PARTS_OF_PARTICIPANTS.has(purpose)).map(({ providerModel }) => providerModel);
}

const SIXTEEN = Array.from({ length: 16 }, () => 'demo-curie');
const BERRIES = ['alpha', 'beta', 'epsilon'];

/** Entries of a panel of which `demo-ada` is the arbiter, and the participants that draft. */
const MODELS: readonly (readonly [rule: string, models: readonly unknown[] | undefined, drafts: readonly string[]])[] =
  [
    ['entries may be strings', ['demo-blaise', 'demo-curie'], ['demo-blaise', 'demo-curie']],
    [
      'or objects with an id',
      [{ id: 'demo-blaise' }, { id: 'unheard-of', vendor: 'x' }],
      ['demo-blaise', 'unheard-of'],
    ],
    ['or with a name', [{ name: 'Demo Curie' }, { name: 'Claude Haiku 4.5' }], ['demo-curie', 'claude-haiku-4-5']],
    ['an unknown name is an id', [{ name: 'my-own-model' }, 'demo-ada'], ['my-own-model', 'demo-ada']],
    ['id goes before name', [{ id: 'demo-blaise', name: 'Demo Curie' }], ['demo-blaise']],
    ['id null leaves the name', [{ id: null, name: 'Demo Curie' }], ['demo-curie']],
    ['entries may repeat', ['demo-ada', 'demo-ada', 'demo-ada'], ['demo-ada', 'demo-ada', 'demo-ada']],
    ['sixteen are seated', SIXTEEN, SIXTEEN],
    ['without any the root model answers alone', undefined, []],
    ['an empty list is none', [], []],
  ];

/** The same of the virtual model, whose arbiter is `gamma`. */
const VIRTUAL: readonly (readonly [rule: string, request: Record<string, unknown>, drafts: readonly string[]])[] = [
  ['“ensemble” has the default panel', { model: 'ensemble' }, BERRIES],
  ['so has its strategy by name', { model: 'ensemble-competitive-refinement' }, BERRIES],
  ['explicit models override it', { model: 'ensemble', ai_ensemble: { models: ['delta'] } }, ['delta']],
  ['an empty list leaves it', { model: 'ensemble', ai_ensemble: { models: [] } }, BERRIES],
];

/** Calls in order, when the default panel plays one round of a strategy. */
const PLAYS: readonly (readonly [id: string, calls: string])[] = [
  ['ensemble-collaborative-synthesis', 'draft alpha, draft beta, draft epsilon, answer gamma'],
  ['ensemble-expert-panel', 'cast gamma, draft alpha, draft beta, draft epsilon, answer gamma'],
  ['ensemble-debate-tournament', 'draft alpha, draft epsilon, draft beta, analyse gamma, analyse gamma, answer gamma'],
  ['ensemble-hierarchical', 'plan alpha, draft beta, review epsilon, answer gamma'],
  ['ensemble-chain-of-thought', 'draft alpha, draft beta, draft epsilon, answer gamma'],
  [
    'ensemble-red-team-blue-team',
    'draft alpha, draft epsilon, attack beta, revise alpha, revise epsilon, answer gamma',
  ],
];

function played(calls: readonly ProviderCall[]): string {
  return calls.map(({ purpose, providerModel }) => `${purpose} ${providerModel}`).join(', ');
}

describe('POST /v1/chat/completions: who takes part', () => {
  const app = sharedApp({ env: { DEFAULT_MODEL: 'gamma', DEFAULT_PANEL: BERRIES.join(',') } });

  it.each([
    ...MODELS.map(([rule, models, drafts]) => ({
      rule,
      request: { ai_ensemble: { models } },
      drafts,
      answer: 'demo-ada',
    })),
    ...VIRTUAL.map(([rule, request, drafts]) => ({ rule, request, drafts, answer: 'gamma' })),
  ])('$rule', async ({ request, drafts, answer }) => {
    const { status, body, calls } = await app.complete(request);
    expect(status).toBe(200);
    expect(participants(calls)).toEqual(drafts);
    expect(arbiters(calls)).toEqual([answer]);
    expect(body.model).toBe('model' in request ? request['model'] : 'demo-ada');
  });

  it.each(PLAYS)('%s plays over the default panel: %s', async (id, expected) => {
    const { status, body, calls } = await app.complete({ model: id });
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('degraded');
    expect(played(calls)).toBe(expected);
  });

  it('an explicit strategy overrides the one of a virtual id', async () => {
    const { calls } = await app.complete({ model: 'ensemble-expert-panel', ai_ensemble: { strategy: 'hierarchical' } });
    expect(calls[0]?.purpose).toBe('plan');
  });
});

describe('POST /v1/chat/completions: unknown model ids pass through unchanged to their provider', () => {
  it.each([
    ['gpt-99-turbo', 'openai'],
    ['o1-next', 'openai'],
    ['o3', 'openai'],
    ['o4-huge', 'openai'],
    ['chatgpt-99-latest', 'openai'],
    ['claude-next', 'anthropic'],
    ['gemini-99-flash', 'google'],
    ['demo-zoe', 'scripted'],
    ['llama3.3:70b-instruct', 'openai'],
    ['Qwen/Qwen3-32B', 'openai'],
  ])('%s is asked of %s', async (model, provider) => {
    const clock = fakeClock();
    const providers = {
      openai: scriptedModels(clock),
      anthropic: scriptedModels(clock),
      google: scriptedModels(clock),
      scripted: scriptedModels(clock),
    };
    await using app = await startApp({ clock, providers });
    const response = await app.chat({ model });
    expect(response.status).toBe(200);
    const asked = Object.entries(providers).flatMap(([id, { calls }]) => calls.map((call) => [id, call.providerModel]));
    expect(asked).toEqual([[provider, model]]);
  });
});
