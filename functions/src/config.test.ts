import { readConfig } from './config';
import { SettingsError } from './lib/settings-reader';

describe('readConfig', () => {
  it('takes a secret that is stored as `none` for one that is not set', () => {
    const config = readConfig({
      OPENAI_API_KEY: 'sk-real',
      ANTHROPIC_API_KEY: 'none',
      GEMINI_API_KEY: ' none\n',
      KEY_PEPPER: 'none',
    });
    expect(config.providers).toEqual({ openai: { apiKey: 'sk-real' } });
    expect(config.peppers).toEqual([]);
    const byUrl = readConfig({ OPENAI_API_KEY: 'none', OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1' });
    expect(byUrl.providers.openai).toEqual({ apiKey: 'none', baseUrl: 'http://127.0.0.1:11434/v1' });
  });

  it('takes the requests of a user a minute from RATE_LIMIT_RPM: a whole number from 1 to 1000, by default 30', () => {
    const settings = ['', '1', ' 120 ', '1000'];
    expect(settings.map((RATE_LIMIT_RPM) => readConfig({ RATE_LIMIT_RPM }).requestsPerMinute)).toEqual([
      30, 1, 120, 1000,
    ]);
    for (const RATE_LIMIT_RPM of ['0', '-1', '1001', '30.5', '1e2', '0x10', 'none', '9'.repeat(400)]) {
      expect(() => readConfig({ RATE_LIMIT_RPM })).toThrow('RATE_LIMIT_RPM must be a whole number from 1 to 1000');
    }
    expect(() => readConfig({ PORT: '65536' })).toThrow(new Error('PORT must be a whole number from 1 to 65535'));
  });

  it('reads models and endpoints of the deployment, with the endpoints’ keys from the secret', () => {
    const MODEL_OVERRIDES = JSON.stringify({
      models: [{ id: 'house', endpoint: 'lab' }],
      endpoints: { lab: { baseUrl: 'https://lab.example/v1' }, cellar: { baseUrl: 'http://localhost:8000/v1' } },
    });
    expect(readConfig({ MODEL_OVERRIDES, ENDPOINT_KEYS: '{"lab": "secret"}' })).toMatchObject({
      models: [{ id: 'house', provider: 'endpoint:lab' }],
      providers: {
        'endpoint:lab': { apiKey: 'secret', baseUrl: 'https://lab.example/v1' },
        'endpoint:cellar': { apiKey: 'none', baseUrl: 'http://localhost:8000/v1' },
      },
    });
    expect(readConfig({ ENDPOINT_KEYS: 'none' })).toMatchObject({ models: [], providers: {} });
  });

  it('uses Firestore on Cloud Functions and beside its emulator, else the embedded store, unless told', () => {
    expect(readConfig({}).store).toBe('embedded');
    expect(readConfig({ K_SERVICE: 'api' }).store).toBe('firestore');
    expect(readConfig({ FIRESTORE_EMULATOR_HOST: '127.0.0.1:8085' }).store).toBe('firestore');
    expect(readConfig({ K_SERVICE: 'api', STORE: 'embedded' }).store).toBe('embedded');
    expect(() => readConfig({ STORE: 'postgres' })).toThrow('STORE must be one of embedded, firestore');
  });

  it.each([
    [true, 'the embedded store', {}],
    [true, 'the emulator', { FIRESTORE_EMULATOR_HOST: '127.0.0.1:8085', K_SERVICE: 'api' }],
    [false, 'a deployed function', { K_SERVICE: 'api' }],
    [false, 'a deployed function that names the embedded store', { K_SERVICE: 'api', STORE: 'embedded' }],
    [false, 'a real Firestore', { STORE: 'firestore' }],
    [false, 'a provider’s key', { OPENAI_API_KEY: 'sk-real' }],
    [false, 'a base URL', { OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1' }],
    [false, 'an endpoint', { MODEL_OVERRIDES: '{"endpoints": {"lab": {"baseUrl": "https://lab.example/v1"}}}' }],
    [false, 'a key beside the emulator', { FIRESTORE_EMULATOR_HOST: '127.0.0.1:8085', GEMINI_API_KEY: 'k' }],
  ])('demo models: %s with %s', (demoModels, _, env) => {
    expect(readConfig(env).demoModels).toBe(demoModels);
  });

  it('names every setting that cannot be used, a line each', () => {
    const env = {
      LOG_LEVEL: 'loud',
      LOG_FORMAT: 'xml',
      PORT: 'abc',
      STORE: 'postgres',
      UNPRICED: 'maybe',
      OPENAI_BASE_URL: 'models.example',
      MODEL_OVERRIDES: '{"models": 1, "more": 2}',
      ENDPOINT_KEYS: '{"lab": "s3cret"}',
      API_KEY_PREFIX: 'A B',
      KEY_PEPPER: ',',
      ROUTER_KEY_SECRET: 's3cret',
      ROUTER_BASE_URL: 'ftp://router.example',
      SERVICE_ACCOUNT: '!',
      REGION: 'Mars',
      MIN_INSTANCES: '-1',
      MAX_INSTANCES: 'many',
    };
    let told = '';
    try {
      readConfig(env);
    } catch (error) {
      told = String(error instanceof SettingsError && error.message);
    }
    const names = told.split('\n').map((line) => /^[A-Z_]+/.exec(line)?.[0]);
    expect(names.toSorted()).toEqual(
      // Two things are wrong with one of them; keys of endpoints are looked at when the endpoints are known.
      [...Object.keys(env).filter((name) => name !== 'ENDPOINT_KEYS'), 'MODEL_OVERRIDES'].toSorted(),
    );
    expect(told).not.toContain('s3cret');
  });

  it('has a router of its own choice and no key ring, unless told', () => {
    const unset = readConfig({ ROUTER_KEY_SECRET: 'none' });
    expect([unset.routerBaseUrl, unset.routerKeyRing]).toEqual(['https://openrouter.ai/api/v1', []]);
    const key = Buffer.alloc(32, 1).toString('base64');
    const set = readConfig({ ROUTER_BASE_URL: 'https://router.example/v1/', ROUTER_KEY_SECRET: `k1:${key}` });
    expect(set.routerBaseUrl).toBe('https://router.example/v1');
    expect(set.routerKeyRing.map(({ kid }) => kid)).toEqual(['k1']);
    expect(() => readConfig({ ROUTER_KEY_SECRET: 'just-a-text' })).toThrow('ROUTER_KEY_SECRET');
    expect(() => readConfig({ KEY_PEPPER: ' , ' })).toThrow('KEY_PEPPER must be a secret');
  });

  it.each([
    ['a byte order mark', '\ufeffsk-key'],
    ['a zero-width space', 'sk-\u200bkey\u200b'],
    ['a no-break space', '\u00a0sk-key\u00a0'],
    ['quotation marks of a word processor', '“sk-key”'],
    ['all of them', '\ufeff ‘ sk-key\u200b ’\u00a0\r\n'],
  ])('reads keys as people paste them: with %s', (_, key) => {
    const env = { OPENAI_API_KEY: key, ANTHROPIC_API_KEY: key, GEMINI_API_KEY: key };
    const providers = Object.values(readConfig(env).providers);
    expect(providers.map((provider) => provider?.apiKey)).toEqual(['sk-key', 'sk-key', 'sk-key']);
  });

  it.each([
    ['sk-…', 'U+2026'],
    ['sk-one sk-two', 'U+0020'],
    ['sk-😀', 'U+1F600'],
    ['sk-a\nb', 'U+000A'],
  ])('refuses a key that no request could carry, and repeats one character of it: %j', (key, character) => {
    expect(() => readConfig({ GEMINI_API_KEY: key })).toThrow(
      new SettingsError(`GEMINI_API_KEY has a character that no key has: ${character}`),
    );
  });

  it('takes a pepper as it stands, to the last quotation mark: every key hangs on it', () => {
    expect(readConfig({ KEY_PEPPER: ' "a pep\u200bper" ' }).peppers).toEqual(
      readConfig({ KEY_PEPPER: '"a pep\u200bper"' }).peppers,
    );
    expect(readConfig({ KEY_PEPPER: '"a"' }).peppers).not.toEqual(readConfig({ KEY_PEPPER: 'a' }).peppers);
  });

  const MEANT: readonly [setting: string, meant: string, ends: readonly string[]][] = [
    ['OPENAI_BASE_URL', 'https://llm.example/v1', ['/chat/completions', '/completions', '/responses', '/models']],
    ['ROUTER_BASE_URL', 'https://llm.example/api/v1', ['/chat/completions', '/models']],
    ['ANTHROPIC_BASE_URL', 'https://llm.example/anthropic', ['/v1', '/v1/messages', '/messages', '/v1/models']],
    [
      'GEMINI_BASE_URL',
      'https://llm.example',
      [
        '/v1beta',
        '/v1',
        '/v1beta/models',
        '/v1beta/models/gemini-3:generateContent',
        '/models/g:streamGenerateContent',
      ],
    ],
  ];

  it.each(MEANT)('%s: mended to %s where it ends in an endpoint, or has slashes too many', (setting, meant, ends) => {
    const doubled = meant.replace(/(?<=example)\//, '//');
    for (const url of ['', ...ends].flatMap((end) =>
      [meant, doubled].flatMap((base) => [base + end, `${base}${end}//`]),
    )) {
      const { routerBaseUrl, providers } = readConfig({ [setting]: url });
      const [base = routerBaseUrl] = Object.values(providers).map((provider) => provider?.baseUrl);
      expect([url, base]).toEqual([url, meant]);
    }
  });

  it('mends the base URL of an endpoint, and leaves one alone whose path names another address', () => {
    const baseUrls = ['https://models/chat/completions', 'https://cors.example/https://llm.example/v1'];
    const endpoints = Object.fromEntries(baseUrls.map((baseUrl, index) => [`e${index}`, { baseUrl }]));
    const { providers } = readConfig({ MODEL_OVERRIDES: JSON.stringify({ endpoints }) });
    expect(Object.values(providers).map((provider) => provider?.baseUrl)).toEqual(['https://models', baseUrls[1]]);
    expect(readConfig({ OPENAI_BASE_URL: 'https://models/' }).providers.openai?.baseUrl).toBe('https://models');
  });

  const URL_SETTINGS = ['OPENAI_BASE_URL', 'ANTHROPIC_BASE_URL', 'GEMINI_BASE_URL', 'ROUTER_BASE_URL'];
  const HERE = ['http://127.0.0.1:9/api', 'http://127.8.9.10/api', 'http://localhost:9/api', 'http://[::1]:9/api'];
  const NOT_HERE = 'must be https: plain http is for servers on this machine (localhost, 127.0.0.1, [::1])';
  const ELSEWHERE = [
    ...['models.example', 'ollama:11434', '192.168.1.7', '169.254.169.254', '0.0.0.0', '[fd00::7]'],
    ...['127.0.0.1.example', 'localhost.example'],
  ];

  it.each(URL_SETTINGS)(
    '%s: keys and prompts go over TLS or stay on this machine; other addresses end the start',
    (setting) => {
      for (const url of [...HERE, 'https://models.example/api']) {
        const { routerBaseUrl, providers } = readConfig({ [setting]: url });
        expect([routerBaseUrl, ...Object.values(providers).map((provider) => provider?.baseUrl)]).toContain(url);
      }
      for (const [url, flaw] of [
        ...ELSEWHERE.map((host) => [`http://${host}/v1`, NOT_HERE] as const),
        ['https://user:pass@models.example/v1', 'must not hold a user or password'],
        ['https://models.example/v1?to=elsewhere', 'must not have a query or fragment'],
        ['https://models.example/v1#here', 'must not have a query or fragment'],
        ['ftp://models.example', 'must be an http or https URL'],
        ['models.example/v1', 'must be an http or https URL'],
      ] as const) {
        expect(() => readConfig({ [setting]: url })).toThrow(new Error(`${setting} ${flaw}`));
      }
    },
  );
});
