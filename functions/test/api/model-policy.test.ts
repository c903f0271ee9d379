import { readConfig } from '../../src/config';
import { errorBody } from '../support/api-errors';
import { answer, CHAT, EVALUATIONS_PATH, QUESTION, startApp } from '../support/app';

const KEYS = { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' };
const NOT_ALLOWED = 'must be a model that this server allows';
const UNPRICED = 'must be a model with a known price';

interface List {
  readonly data: readonly { readonly id: string; readonly owned_by: string }[];
}

describe('MODELS_ALLOWED', () => {
  const start = (MODELS_ALLOWED: string, env: Record<string, string> = KEYS) =>
    startApp({ env: { ...env, MODELS_ALLOWED } });

  it('refuses every other model with 400, by the field that names it', async () => {
    await using app = await start('gpt-5.4*, claude-haiku-4-5');
    const chat = (fields: object) => app.complete<unknown>({ ...fields });
    const refusal = (text: string) => ({ status: 400, body: errorBody(`Invalid ${text} ${NOT_ALLOWED}`) });
    expect(await chat({ model: 'gpt-4o' })).toMatchObject(refusal('model:'));
    for (const stranger of ['demo-ada', 'anything/else', 'GPT-5.4', 'xgpt-5.4', 'claude-haiku-4-5-1']) {
      expect((await chat({ model: stranger })).status).toBe(400);
    }
    const panel = ['gpt-5.4', { name: 'Claude Haiku 4.5' }, { id: 'gpt-4o' }];
    const seated = await chat({ model: 'gpt-5.4-mini', ai_ensemble: { models: panel } });
    expect(seated).toMatchObject(refusal('ai_ensemble.models[2]:'));
    expect(await app.respond<unknown>({ model: 'gpt-4o' })).toMatchObject(refusal('model:'));
    const judges = ['gpt-5.4', 'gpt-4o'].map((id) => ({ id, name: id }));
    const evaluation = { prompt: QUESTION, responses: [answer('gpt-4o', 'Yes.')], judge_models: judges };
    expect(await app.send(EVALUATIONS_PATH, evaluation)).toMatchObject(refusal('request: judge_models[1].id'));
    expect(app.models.calls).toEqual([]);
    const allowed = await chat({ model: 'gpt-5.4-mini', ai_ensemble: { models: panel.slice(0, 2) } });
    expect(allowed.status).toBe(200);
  });

  it('lists what is allowed, and answers virtual ids with it', async () => {
    await using app = await start('gpt-5.4*');
    const { data } = (await app.read<List>('/v1/models')).body;
    const served = data.filter(({ owned_by }) => owned_by !== 'ensemble').map(({ id }) => id);
    expect(served.length).toBeGreaterThan(1);
    expect(served.filter((id) => !id.startsWith('gpt-5.4'))).toEqual([]);
    const reply = await app.complete({ model: 'ensemble' });
    expect(reply.status).toBe(200);
    expect(new Set(reply.calls.map(({ providerModel }) => providerModel))).toEqual(new Set(['gpt-5.4-mini']));
  });

  it('answers with the first allowed model where none of the usual ones is', async () => {
    await using app = await start('claude-opus-*');
    const reply = await app.complete({ model: 'ensemble' });
    expect(reply.calls.length).toBeGreaterThan(0);
    expect(reply.calls.filter(({ providerModel }) => !providerModel.startsWith('claude-opus-'))).toEqual([]);
  });

  it('does not start with a DEFAULT_MODEL or DEFAULT_PANEL that is not allowed', async () => {
    const names = /^DEFAULT_MODEL and DEFAULT_PANEL: gpt-4o must be a model that this server allows/;
    await expect(start('gpt-5.4*', { ...KEYS, DEFAULT_MODEL: 'gpt-4o' })).rejects.toThrow(names);
    await expect(start('gpt-5.4*', { ...KEYS, DEFAULT_PANEL: 'gpt-5.4,gpt-4o' })).rejects.toThrow(names);
  });
});

describe('UNPRICED', () => {
  it('refuse: a model whose price nobody knows is refused with 400 and not listed', async () => {
    const models = [
      { id: 'house', endpoint: 'lab' },
      { id: 'priced', endpoint: 'lab', price: { inputUsdPerMillion: 0, outputUsdPerMillion: 1 } },
    ];
    const MODEL_OVERRIDES = JSON.stringify({ models, endpoints: { lab: { baseUrl: 'https://lab.example/v1' } } });
    await using app = await startApp({ env: { ...KEYS, MODEL_OVERRIDES, UNPRICED: 'refuse' } });
    for (const model of ['house', 'nobody-knows-this']) {
      expect(await app.complete<unknown>({ model })).toMatchObject({
        status: 400,
        body: errorBody(`Invalid model: ${UNPRICED}`),
      });
    }
    expect((await app.complete({ model: 'gpt-4o' })).status).toBe(200);
    const ids = (await app.read<List>('/v1/models')).body.data.map(({ id }) => id);
    expect(ids).toContain('priced');
    expect(ids).not.toContain('house');
  });

  it('allow, the default: it is called', async () => {
    await using app = await startApp({ env: KEYS });
    expect((await app.complete({ ...CHAT, model: 'nobody-knows-this' })).status).toBe(200);
    expect(() => readConfig({ UNPRICED: 'maybe' })).toThrow('UNPRICED must be one of allow, refuse');
  });
});
