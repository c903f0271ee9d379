import { createCatalog, firstEventMs, thinksFirst } from './catalog';
import curated from './curated-models.json';
import { ratesOf } from './prices';

const NOW_MS = Date.parse('2026-11-20T12:00:00Z');
const catalog = createCatalog();

describe('the rows of the catalog', () => {
  const reasons = new Map<string, unknown>(
    [...curated.openai, ...curated.anthropic, ...curated.google, ...curated.scripted].map((row) => [
      row.id,
      (row as { readonly unpriced?: unknown }).unpriced,
    ]),
  );

  it.each(catalog.rows)('$id has a price, or says why it has none', (row) => {
    const reason = reasons.get(row.id);
    if (ratesOf(row, NOW_MS)) expect(reason).toBeUndefined();
    else expect(reason).toMatch(/\S/);
  });

  it.each(catalog.rows)('$id has a name, a context window and an own id', (row) => {
    expect(row.name).toMatch(/\S/);
    expect(row.contextTokens).toBeGreaterThan(8_000);
    expect(catalog.rows.filter(({ id }) => id === row.id)).toEqual([row]);
    expect(catalog.modelIdOfName(row.name.toUpperCase())).toBe(row.id);
  });
});

describe('an id without a row', () => {
  it.each([
    ['gpt-5.9-mega', 'openai', false],
    ['o3-2025-04-16', 'openai', false],
    ['gpt-4.9', 'openai', true],
    ['claude-3-haiku', 'anthropic', true],
    ['claude-opus-4-6', 'anthropic', true],
    // From Opus 4.7 on Anthropic answers temperature and top_p with a 400.
    ['claude-opus-4-7', 'anthropic', false],
    ['claude-opus-4-8-20260601', 'anthropic', false],
    ['claude-sonnet-6', 'anthropic', false],
    ['gemini-9', 'google', true],
    ['demo-zeta', 'scripted', true],
    ['llama3.3:70b', 'openai', true],
    ['owner/model', 'openai', true],
  ])('%s goes to %s, with sampling settings: %s', (id, provider, sampling) => {
    const row = catalog.modelOf(id);
    expect(row).toMatchObject({ id, name: id, providerModel: id, provider, sampling, contextTokens: null });
  });
});

describe('a model whose own provider is not configured', () => {
  const gateway = { baseUrl: 'http://localhost:4000/v1' };
  const vendors = ['claude-haiku-4-5', 'claude-sonnet-9', 'gemini-2.5-flash', 'gemini-9'];

  it.each(vendors)('%s is asked of the server of OPENAI_BASE_URL, as all else is known of it', (id) => {
    const { provider, listedBy, ...known } = createCatalog([], { providers: { openai: gateway } }).modelOf(id);
    const { provider: own, ...usual } = catalog.modelOf(id);
    expect({ provider, listedBy, known }).toEqual({ provider: 'openai', listedBy: own, known: usual });
  });

  it.each([
    ['OpenAI itself is no server for them', { openai: {} }],
    ['nor is it with a key or a base URL of their own', { openai: gateway, anthropic: {}, google: gateway }],
  ])('%s', (_, providers) => {
    const { modelOf } = createCatalog([], { providers });
    expect(vendors.map((id) => modelOf(id))).toEqual(vendors.map((id) => catalog.modelOf(id)));
  });

  it('goes where the settings say, where they name its provider', () => {
    const override = { id: 'claude-next', provider: 'anthropic' } as const;
    expect(createCatalog([override], { providers: { openai: gateway } }).modelOf('claude-next').provider).toBe(
      'anthropic',
    );
  });
});

describe('how a model thinks', () => {
  it.each([
    ['gpt-4o', 120, undefined, undefined],
    ['gpt-5.9-mega', 300, true, undefined],
    ['o4-mini', 300, true, undefined],
    ['claude-haiku-4-5', 120, undefined, undefined],
    ['claude-opus-4-5-20251101', 120, true, undefined],
    ['claude-opus-5-5', 300, true, undefined],
    ['gemini-2.0-flash', 120, undefined, undefined],
    ['gemini-2.5-pro', 300, true, undefined],
    ['demo-ada', 120, undefined, undefined],
    ['llama3.3:70b', 120, undefined, undefined],
    // Models of no family, and by way of a router, say it in their names.
    ['deepseek-r1:70b', 300, undefined, true],
    ['Qwen/Qwen3-30B-A3B-Thinking-2507', 300, undefined, true],
    ['kimi-k2-thinking', 300, undefined, true],
    ['minimax-m2.1', 120, undefined, true],
    ['openai/o4-mini', 300, true, undefined],
    ['anthropic/claude-3.7-sonnet:thinking', 300, undefined, undefined],
    ['owner/reasonable-r10', 120, undefined, undefined],
  ])('%s: silent for %i s, effort %s, thought unopened %s', (id, seconds, reasoningEffort, thoughtsUnopened) => {
    const row = catalog.modelOf(id);
    expect([firstEventMs(row), row.reasoningEffort, row.thoughtsUnopened]).toEqual([
      seconds * 1_000,
      reasoningEffort,
      thoughtsUnopened,
    ]);
    expect(thinksFirst(row)).toBe(seconds > 120);
  });

  it('is as the settings say', () => {
    const own = createCatalog([{ id: 'qwq-32b', thoughtsUnopened: false, firstEventSeconds: 500 }]).modelOf('qwq-32b');
    expect([firstEventMs(own), own.thoughtsUnopened]).toEqual([500_000, false]);
  });
});

describe('a catalog without the demo models', () => {
  it('has no row of theirs, takes their ids for any unknown one, and leaves them to the settings', () => {
    const served = createCatalog([], { demoModels: false });
    const named = { id: 'demo-ada', name: 'demo-ada', providerModel: 'demo-ada' };
    expect(served.rows.filter(({ provider }) => provider === 'scripted')).toEqual([]);
    expect(served.modelOf('demo-ada')).toEqual({ ...served.modelOf('x'), ...named });
    expect(served.modelIdOfName('Demo Ada')).toBe('Demo Ada');
    const own = createCatalog([{ id: 'demo-ada', provider: 'endpoint:lab' }], { demoModels: false });
    expect(own.modelOf('demo-ada')).toEqual({ ...served.modelOf('demo-ada'), provider: 'endpoint:lab' });
  });
});

describe('what the settings say of a model', () => {
  it('goes over its row, field by field', () => {
    const fields = { name: 'House model', contextTokens: 64_000, vision: false };
    const own = createCatalog([{ id: 'gpt-4o', ...fields }]);
    expect(own.modelOf('gpt-4o')).toEqual({ ...catalog.modelOf('gpt-4o'), ...fields });
    expect(own.rows).toHaveLength(catalog.rows.length);
    expect([own.modelIdOfName('house model'), own.modelIdOfName('GPT-4o')]).toEqual(['gpt-4o', 'GPT-4o']);
  });

  it('adds a row over the defaults of its family', () => {
    const own = createCatalog([{ id: 'claude-next', tools: true }]);
    expect(own.rows.at(-1)).toEqual({ ...catalog.modelOf('claude-next'), tools: true });
    expect(own.overridden).toEqual(new Set(['claude-next']));
  });
});
