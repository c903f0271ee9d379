import { readConfig } from './config';

describe('readConfig', () => {
  it('takes a secret that is stored as `none` for one that is not set', () => {
    const config = readConfig({
      OPENAI_API_KEY: 'sk-real',
      ANTHROPIC_API_KEY: 'none',
      GEMINI_API_KEY: ' none\n',
      KEY_PEPPER: 'none',
    });
    expect([config.openai, config.anthropic, config.google]).toEqual([{ apiKey: 'sk-real' }, null, null]);
    expect(config.peppers).toEqual([]);
  });

  it('still configures a provider by its URL alone when its key is stored as `none`', () => {
    const config = readConfig({ OPENAI_API_KEY: 'none', OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1' });
    expect(config.openai).toEqual({ apiKey: 'none', baseUrl: 'http://127.0.0.1:11434/v1' });
  });

  it('reads models and endpoints of the deployment, with the endpoints’ keys from the secret', () => {
    const MODEL_OVERRIDES = JSON.stringify({
      models: [{ id: 'house', endpoint: 'lab' }],
      endpoints: { lab: { baseUrl: 'https://lab.example/v1' }, cellar: { baseUrl: 'http://cellar:8000/v1' } },
    });
    expect(readConfig({ MODEL_OVERRIDES, ENDPOINT_KEYS: '{"lab": "secret"}' })).toMatchObject({
      models: [{ id: 'house', provider: 'endpoint:lab' }],
      endpoints: {
        lab: { apiKey: 'secret', baseUrl: 'https://lab.example/v1' },
        cellar: { apiKey: 'none', baseUrl: 'http://cellar:8000/v1' },
      },
    });
    expect(readConfig({ ENDPOINT_KEYS: 'none' })).toMatchObject({ models: [], endpoints: {} });
  });

  it('refuses a model with the id of a virtual one, which could never be asked', () => {
    const MODEL_OVERRIDES = '{"models": [{"id": "a"}, {"id": "ensemble-hierarchical"}]}';
    expect(() => readConfig({ MODEL_OVERRIDES })).toThrow('MODEL_OVERRIDES.models[1].id: is the id of a virtual model');
  });

  it('uses Firestore on Cloud Functions and beside its emulator, else the embedded store, unless told', () => {
    expect(readConfig({}).store).toBe('embedded');
    expect(readConfig({ K_SERVICE: 'api' }).store).toBe('firestore');
    expect(readConfig({ FIRESTORE_EMULATOR_HOST: '127.0.0.1:8085' }).store).toBe('firestore');
    expect(readConfig({ K_SERVICE: 'api', STORE: 'embedded' }).store).toBe('embedded');
    expect(() => readConfig({ STORE: 'postgres' })).toThrow('STORE must be one of embedded, firestore');
  });
});
