import { errorBody } from '../support/api-errors';
import { type App, startApp } from '../support/app';

interface ModelList {
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

const PANEL_IDS = [
  'ensemble',
  'ensemble-competitive-refinement',
  'ensemble-collaborative-synthesis',
  'ensemble-expert-panel',
  'ensemble-debate-tournament',
  'ensemble-hierarchical',
  'ensemble-chain-of-thought',
  'ensemble-red-team-blue-team',
];
const VIRTUAL_IDS = [...PANEL_IDS, ...PANEL_IDS.map((id) => `${id}-auto`)];

/** The settings of a deployment, and which ids it must and must not list. */
const LISTS: readonly { rule: string; env: Record<string, string>; listed: string[]; missing: string[] }[] = [
  {
    rule: 'without provider keys the demo models',
    env: {},
    listed: ['demo-ada', 'demo-blaise', 'demo-curie', 'demo-dissenter', 'demo-slow', 'demo-unreliable'],
    missing: ['gpt-4o', 'claude-haiku-4-5', 'gemini-2.5-flash'],
  },
  {
    rule: 'with a provider’s key that provider’s models, and no demo models',
    env: { ANTHROPIC_API_KEY: 'x' },
    listed: ['claude-haiku-4-5'],
    missing: ['demo-ada', 'gpt-4o', 'gemini-2.5-flash'],
  },
  {
    rule: 'models named in the settings, catalogued or not',
    env: { DEFAULT_MODEL: 'my-own-model', DEFAULT_PANEL: 'llama3.3:70b,demo-curie' },
    listed: ['my-own-model', 'llama3.3:70b', 'demo-curie'],
    missing: [],
  },
];

describe('GET /v1/models', () => {
  let app: App;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  it('says of catalogued models what they can take', async () => {
    const { body } = await app.read<ModelList>('/v1/models');
    const ada = body.data.find(({ id }) => id === 'demo-ada');
    const facts = { context_length: 32_000, vision: false, tools: false, web_search: true };
    expect(ada).toMatchObject({ name: 'Demo Ada', ...facts });
  });

  it('every id is listed once, and can be asked', async () => {
    const { body } = await app.read<ModelList>('/v1/models');
    expect(new Set(body.data.map(({ id }) => id)).size).toBe(body.data.length);
    for (const { id } of body.data) expect((await app.complete({ model: id })).status).toBe(200);
  });
});

describe('GET /v1/models: what is listed', () => {
  it.each(LISTS)('$rule', async ({ env, listed, missing }) => {
    await using app = await startApp({ env });
    const { body } = await app.read<ModelList>('/v1/models');
    const ids = body.data.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([...listed, ...VIRTUAL_IDS]));
    expect(ids.filter((id) => missing.includes(String(id)))).toEqual([]);
  });
});

describe('an id of the demo models', () => {
  it('is one that nobody knows where a provider is configured: it goes where unknown ids go', async () => {
    await using app = await startApp({ env: { ANTHROPIC_API_KEY: 'x' }, providers: {} });
    const { status, body } = await app.complete<unknown>({ model: 'demo-ada' });
    const flaw = 'no provider of this server knows it; GET /v1/models lists what it serves';
    expect([status, body]).toEqual([400, errorBody(`Model demo-ada: ${flaw}`)]);
  });
});

describe('GET /v1/models/{id}', () => {
  const UNKNOWN = errorBody('Unknown model: GET /v1/models lists what this server serves');
  let app: App;
  beforeAll(async () => {
    app = await startApp({ env: { DEFAULT_MODEL: 'owner/model:70b' } });
  });
  afterAll(() => app.close());

  it('is the row that the list has, for every row of it, with its slashes encoded or not', async () => {
    const { body } = await app.read<ModelList>('/v1/models');
    expect(body.data.map(({ id }) => id)).toContain('owner/model:70b');
    for (const row of body.data) {
      for (const id of [row['id'] as string, encodeURIComponent(row['id'] as string)]) {
        expect(await app.read(`/v1/models/${id}`)).toMatchObject({ status: 200, body: row });
      }
    }
  });

  it.each(['nope', '%00', '../usage', 'demo-ada%2Fx', 'constructor', 'x'.repeat(5_000)])(
    'is 404 for %.20s',
    async (id) => {
      expect(await app.read(`/v1/models/${encodeURIComponent(id)}`)).toMatchObject({ status: 404, body: UNKNOWN });
    },
  );

  it('needs a key', async () => {
    expect((await fetch(`${app.baseUrl}/v1/models/ensemble`)).status).toBe(401);
  });
});
