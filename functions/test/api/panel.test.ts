import type { ProviderCall } from '../../src/models/model';
import { type App, startApp } from '../support/app';
import { fakeClock } from '../support/fake-clock';
import { scriptedModels } from '../support/scripted-models';

const PARTS_OF_PARTICIPANTS: ReadonlySet<string> = new Set(['draft', 'revise']);

function participants(calls: readonly ProviderCall[]): string[] {
  return calls.filter(({ purpose }) => PARTS_OF_PARTICIPANTS.has(purpose)).map(({ providerModel }) => providerModel);
}

function arbiters(calls: readonly ProviderCall[]): string[] {
  return calls.filter(({ purpose }) => !PARTS_OF_PARTICIPANTS.has(purpose)).map(({ providerModel }) => providerModel);
}

/** Who is asked for a draft, and who writes the answer. */
interface Row {
  readonly rule: string;
  readonly request: Record<string, unknown>;
  readonly drafts: readonly string[];
  readonly answer: string;
}

const SIXTEEN = Array.from({ length: 16 }, () => 'demo-curie');
const BERRIES = ['alpha', 'beta', 'epsilon'];

const MODELS: readonly Row[] = [
  {
    rule: 'entries may be strings',
    request: { ai_ensemble: { models: ['demo-blaise', 'demo-curie'] } },
    drafts: ['demo-blaise', 'demo-curie'],
    answer: 'demo-ada',
  },
  {
    rule: 'entries may be objects with an id',
    request: { ai_ensemble: { models: [{ id: 'demo-blaise' }, { id: 'unheard-of', vendor: 'x' }] } },
    drafts: ['demo-blaise', 'unheard-of'],
    answer: 'demo-ada',
  },
  {
    rule: 'entries may be objects with a name, which is resolved',
    request: { ai_ensemble: { models: [{ name: 'Demo Curie' }, { name: 'Claude Haiku 4.5' }] } },
    drafts: ['demo-curie', 'claude-haiku-4-5'],
    answer: 'demo-ada',
  },
  {
    rule: 'an unknown name is taken as an id',
    request: { ai_ensemble: { models: [{ name: 'my-own-model' }, 'demo-ada'] } },
    drafts: ['my-own-model', 'demo-ada'],
    answer: 'demo-ada',
  },
  {
    rule: 'id goes before name',
    request: { ai_ensemble: { models: [{ id: 'demo-blaise', name: 'Demo Curie' }] } },
    drafts: ['demo-blaise'],
    answer: 'demo-ada',
  },
  {
    rule: 'id null leaves the name',
    request: { ai_ensemble: { models: [{ id: null, name: 'Demo Curie' }] } },
    drafts: ['demo-curie'],
    answer: 'demo-ada',
  },
  {
    rule: 'entries may repeat (self-ensemble)',
    request: { ai_ensemble: { models: ['demo-ada', 'demo-ada', 'demo-ada'] } },
    drafts: ['demo-ada', 'demo-ada', 'demo-ada'],
    answer: 'demo-ada',
  },
  {
    rule: 'sixteen participants are seated',
    request: { ai_ensemble: { models: SIXTEEN } },
    drafts: SIXTEEN,
    answer: 'demo-ada',
  },
  {
    rule: 'a single participant that is not the arbiter drafts, the arbiter answers',
    request: { ai_ensemble: { models: ['demo-curie'] } },
    drafts: ['demo-curie'],
    answer: 'demo-ada',
  },
  { rule: 'models omitted: the root model alone', request: { ai_ensemble: {} }, drafts: [], answer: 'demo-ada' },
  { rule: 'models [] is models omitted', request: { ai_ensemble: { models: [] } }, drafts: [], answer: 'demo-ada' },
  {
    rule: 'models omitted with more rounds: the root model is participant and arbiter',
    request: { ai_ensemble: { rounds: 2 } },
    drafts: ['demo-ada', 'demo-ada'],
    answer: 'demo-ada',
  },
];

const VIRTUAL: readonly Row[] = [
  {
    rule: '“ensemble” is the default panel and arbiter',
    request: { model: 'ensemble' },
    drafts: BERRIES,
    answer: 'gamma',
  },
  {
    rule: '“ensemble-competitive-refinement” likewise',
    request: { model: 'ensemble-competitive-refinement' },
    drafts: BERRIES,
    answer: 'gamma',
  },
  {
    rule: 'explicit models override the default panel',
    request: { model: 'ensemble', ai_ensemble: { models: ['delta'] } },
    drafts: ['delta'],
    answer: 'gamma',
  },
  {
    rule: 'models [] leaves the default panel',
    request: { model: 'ensemble', ai_ensemble: { models: [] } },
    drafts: BERRIES,
    answer: 'gamma',
  },
];

/** Who is called for what, in order, when the default panel plays one round of a strategy. */
const PLAYS: readonly { id: string; strategy: string; calls: string }[] = [
  {
    id: 'ensemble-collaborative-synthesis',
    strategy: 'collaborative_synthesis',
    calls: 'draft alpha, draft beta, draft epsilon, answer gamma',
  },
  {
    id: 'ensemble-expert-panel',
    strategy: 'expert_panel',
    calls: 'cast gamma, draft alpha, draft beta, draft epsilon, answer gamma',
  },
  {
    id: 'ensemble-debate-tournament',
    strategy: 'debate_tournament',
    calls: 'draft alpha, draft epsilon, draft beta, analyse gamma, analyse gamma, answer gamma',
  },
  {
    id: 'ensemble-hierarchical',
    strategy: 'hierarchical',
    calls: 'plan alpha, draft beta, review epsilon, answer gamma',
  },
  {
    id: 'ensemble-chain-of-thought',
    strategy: 'chain_of_thought',
    calls: 'draft alpha, draft beta, draft epsilon, answer gamma',
  },
  {
    id: 'ensemble-red-team-blue-team',
    strategy: 'red_team_blue_team',
    calls: 'draft alpha, draft epsilon, attack beta, revise alpha, revise epsilon, answer gamma',
  },
];

function played(calls: readonly ProviderCall[]): string {
  return calls.map(({ purpose, providerModel }) => `${purpose} ${providerModel}`).join(', ');
}

describe('POST /v1/chat/completions: who takes part', () => {
  let app: App;
  beforeAll(async () => {
    app = await startApp({ env: { DEFAULT_MODEL: 'gamma', DEFAULT_PANEL: BERRIES.join(',') } });
  });
  beforeEach(() => app.models.reset());
  afterAll(() => app.close());

  it.each([...MODELS, ...VIRTUAL])('$rule', async ({ request, drafts, answer }) => {
    const { status, body, calls } = await app.complete(request);
    expect(status).toBe(200);
    expect(participants(calls)).toEqual(drafts);
    expect(arbiters(calls)).toEqual([answer]);
    expect(body.model).toBe(request['model'] ?? 'demo-ada');
  });

  it.each(PLAYS)('$id plays $strategy over the default panel: $calls', async ({ id, calls: expected }) => {
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
