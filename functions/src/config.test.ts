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

  it('uses Firestore on Cloud Functions and beside its emulator, else the embedded store, unless told', () => {
    expect(readConfig({}).store).toBe('embedded');
    expect(readConfig({ K_SERVICE: 'api' }).store).toBe('firestore');
    expect(readConfig({ FIRESTORE_EMULATOR_HOST: '127.0.0.1:8085' }).store).toBe('firestore');
    expect(readConfig({ K_SERVICE: 'api', STORE: 'embedded' }).store).toBe('embedded');
    expect(() => readConfig({ STORE: 'postgres' })).toThrow('STORE must be one of embedded, firestore');
  });
});
