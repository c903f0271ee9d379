import { parseEndpointKeys, parseModelOverrides } from './model-overrides';

const ENDPOINTS = { lab: { baseUrl: 'https://lab.example/v1' } };

/** What is written, and every line of the error it gives. */
const REFUSED: readonly { rule: string; settings: unknown; problems: string[] }[] = [
  { rule: 'not an object', settings: [], problems: ['MODEL_OVERRIDES: must be an object'] },
  { rule: 'unknown part', settings: { model: [] }, problems: ['MODEL_OVERRIDES.model: is not a known field'] },
  { rule: 'models no array', settings: { models: {} }, problems: ['MODEL_OVERRIDES.models: must be an array'] },
  {
    rule: 'no call at once',
    settings: { endpoints: { lab: { ...ENDPOINTS.lab, concurrency: 0 } } },
    problems: ['MODEL_OVERRIDES.endpoints.lab.concurrency: must be a whole number above 0'],
  },
  { rule: 'no id', settings: { models: [{}] }, problems: ['MODEL_OVERRIDES.models[0].id: must be a string'] },
  {
    rule: 'id with a space at its end',
    settings: { models: [{ id: 'a ' }] },
    problems: ['MODEL_OVERRIDES.models[0].id: must not be empty, nor begin or end with a space'],
  },
  {
    rule: 'unknown field',
    settings: { models: [{ id: 'a', contxtTokens: 5 }] },
    problems: ['MODEL_OVERRIDES.models[0].contxtTokens: is not a known field'],
  },
  {
    rule: 'negative price',
    settings: { models: [{ id: 'a' }, { id: 'b', price: { inputUsdPerMillion: -1, outputUsdPerMillion: 1 } }] },
    problems: ['MODEL_OVERRIDES.models[1].price.inputUsdPerMillion: must be a number of at least 0'],
  },
  {
    rule: 'price as text, and half of it',
    settings: { models: [{ id: 'a', price: { inputUsdPerMillion: '3' } }] },
    problems: [
      'MODEL_OVERRIDES.models[0].price.inputUsdPerMillion: must be a number of at least 0',
      'MODEL_OVERRIDES.models[0].price.outputUsdPerMillion: must be a number of at least 0',
    ],
  },
  {
    rule: 'price beyond reason',
    settings: { models: [{ id: 'a', price: { inputUsdPerMillion: 3e6, outputUsdPerMillion: 1 } }] },
    problems: ['MODEL_OVERRIDES.models[0].price.inputUsdPerMillion: must be at most 10000'],
  },
  {
    rule: 'unknown field of a price',
    settings: {
      models: [{ id: 'a', price: { inputUsdPerMillion: 1, outputUsdPerMillion: 1, cachedUsdPerMillion: 0 } }],
    },
    problems: ['MODEL_OVERRIDES.models[0].price.cachedUsdPerMillion: is not a known field'],
  },
  {
    rule: 'half a token, and a flag as text',
    settings: { models: [{ id: 'a', contextTokens: 0.5, vision: 'yes' }] },
    problems: [
      'MODEL_OVERRIDES.models[0].contextTokens: must be a whole number above 0',
      'MODEL_OVERRIDES.models[0].vision: must be true or false',
    ],
  },
  {
    rule: 'null, which is no absence here',
    settings: { models: [{ id: 'a', name: null }] },
    problems: ['MODEL_OVERRIDES.models[0].name: must be a string'],
  },
  {
    rule: 'unknown provider',
    settings: { models: [{ id: 'a', provider: 'scripted' }] },
    problems: ['MODEL_OVERRIDES.models[0].provider: must be one of openai, anthropic, google'],
  },
  {
    rule: 'provider and endpoint',
    settings: { models: [{ id: 'a', provider: 'openai', endpoint: 'lab' }], endpoints: ENDPOINTS },
    problems: ['MODEL_OVERRIDES.models[0].provider: must be left out where endpoint is given'],
  },
  {
    rule: 'an id twice',
    settings: { models: [{ id: 'a' }, { id: 'b' }, { id: 'a' }] },
    problems: ['MODEL_OVERRIDES.models[2].id: "a" is there twice'],
  },
  {
    rule: 'unknown endpoint',
    settings: { models: [{ id: 'a', endpoint: 'lap' }], endpoints: ENDPOINTS },
    problems: ['MODEL_OVERRIDES.models[0].endpoint: "lap" is not one of endpoints'],
  },
  {
    rule: 'endpoint named like a property of every object',
    settings: { models: [{ id: 'a', endpoint: 'toString' }] },
    problems: ['MODEL_OVERRIDES.models[0].endpoint: "toString" is not one of endpoints'],
  },
  {
    rule: 'endpoint with a bad name',
    settings: { endpoints: { 'My Lab': { baseUrl: 'https://lab.example/v1' } } },
    problems: [
      'MODEL_OVERRIDES.endpoints.My Lab: a name has 1 to 32 lowercase letters, digits, hyphens and underscores',
    ],
  },
  {
    rule: 'a key among the endpoint’s fields',
    settings: { endpoints: { lab: { baseUrl: 'https://lab.example/v1', apiKey: 'secret' } } },
    problems: ['MODEL_OVERRIDES.endpoints.lab.apiKey: is not a known field'],
  },
  {
    rule: 'more problems than are worth reading',
    settings: { models: Array.from({ length: 12 }, () => ({})) },
    problems: [
      ...Array.from({ length: 10 }, (_, index) => `MODEL_OVERRIDES.models[${index}].id: must be a string`),
      'and 2 more',
    ],
  },
];

const NOT_HERE = 'must be https: plain http is for servers on this machine (localhost, 127.0.0.1, [::1])';
const BASE_URLS: readonly [url: unknown, flaw: string | null][] = [
  ['https://api.lab.example/v1', null],
  ['http://localhost:11434/v1', null],
  ['http://127.0.0.1:8000/v1', null],
  ['http://[::1]:8000/v1', null],
  ['http://10.1.2.3/v1', NOT_HERE],
  ['http://172.31.0.1/v1', NOT_HERE],
  ['http://192.168.1.7:8000/v1', NOT_HERE],
  ['http://[fd00::7]/v1', NOT_HERE],
  ['http://ollama:11434/v1', NOT_HERE],
  ['http://host.docker.internal:11434/v1', NOT_HERE],
  ['http://api.lab.example/v1', NOT_HERE],
  ['http://172.32.0.1/v1', NOT_HERE],
  ['http://8.8.8.8/v1', NOT_HERE],
  ['http://[2001:db8::1]/v1', NOT_HERE],
  ['http://127.0.0.1.evil.example/v1', NOT_HERE],
  ['ftp://lab.example/v1', 'must be an http or https URL'],
  ['lab.example/v1', 'must be an http or https URL'],
  ['', 'must be an http or https URL'],
  ['https://user:secret@lab.example/v1', 'must not hold a user or password'],
  ['https://lab.example/v1?key=secret', 'must not have a query or fragment'],
  [7, 'must be a string'],
];

function problemsOf(read: () => unknown): string[] {
  try {
    read();
  } catch (error) {
    return String((error as Error).message).split('\n');
  }
  return [];
}

describe('MODEL_OVERRIDES', () => {
  it('may be missing, or empty', () => {
    expect(parseModelOverrides('')).toEqual({ models: [], endpoints: {} });
    expect(parseModelOverrides('{}')).toEqual({ models: [], endpoints: {} });
  });

  it('gives each model the fields that are written, and the endpoint as its provider', () => {
    const price = {
      inputUsdPerMillion: 0.5,
      outputUsdPerMillion: 1.5,
      cachedInputUsdPerMillion: 0,
      cacheWriteInputUsdPerMillion: 0.625,
    };
    const json = JSON.stringify({
      models: [
        { id: 'house', name: 'House', endpoint: 'lab', providerModel: 'Org/Model-70B', contextTokens: 131_072, price },
        {
          id: 'claude-next',
          provider: 'anthropic',
          maxOutputTokens: 64_000,
          sampling: false,
          reasoningEffort: true,
          firstEventSeconds: 500,
          thoughtsUnopened: true,
          vision: true,
          tools: true,
        },
      ],
      endpoints: ENDPOINTS,
    });
    expect(parseModelOverrides(json)).toEqual({
      models: [
        {
          id: 'house',
          name: 'House',
          provider: 'endpoint:lab',
          providerModel: 'Org/Model-70B',
          contextTokens: 131_072,
          price,
        },
        {
          id: 'claude-next',
          provider: 'anthropic',
          maxOutputTokens: 64_000,
          sampling: false,
          reasoningEffort: true,
          firstEventSeconds: 500,
          thoughtsUnopened: true,
          vision: true,
          tools: true,
        },
      ],
      endpoints: ENDPOINTS,
    });
  });

  it.each(REFUSED)('is refused with every fault by its path: $rule', ({ settings, problems }) => {
    expect(problemsOf(() => parseModelOverrides(JSON.stringify(settings)))).toEqual(problems);
  });

  it('gives an endpoint the number of calls it is sent at once', () => {
    const endpoints = { lab: { baseUrl: 'https://lab.example/v1', concurrency: 1 } };
    expect(parseModelOverrides(JSON.stringify({ endpoints }))).toEqual({ models: [], endpoints });
  });

  it('tells where it stops being JSON, and quotes none of it', () => {
    const [problem, ...more] = problemsOf(() => parseModelOverrides('{"models": [{"id": "a" "name": "secret"}]}'));
    expect(problem).toBe('MODEL_OVERRIDES: must be JSON (fault at position 23 (line 1 column 24))');
    expect(more).toEqual([]);
  });

  it.each(BASE_URLS)('base URL %j: %s', (baseUrl, flaw) => {
    const json = JSON.stringify({ endpoints: { lab: { baseUrl } } });
    const expected = flaw === null ? [] : [`MODEL_OVERRIDES.endpoints.lab.baseUrl: ${flaw}`];
    expect(problemsOf(() => parseModelOverrides(json))).toEqual(expected);
  });
});

describe('ENDPOINT_KEYS', () => {
  it('gives endpoints their keys; one without needs none', () => {
    expect(parseEndpointKeys('', ['lab'])).toEqual(new Map());
    expect(parseEndpointKeys('{"lab": "secret"}', ['lab', 'cellar'])).toEqual(new Map([['lab', 'secret']]));
  });

  const shape = 'ENDPOINT_KEYS: must be a JSON object of the endpoints\u2019 names and keys, which are strings';
  it.each([
    ['{"lab": secret}', 'ENDPOINT_KEYS: must be JSON'],
    ['"secret"', shape],
    ['{"lab": 7}', shape],
    ['{"lab": ""}', shape],
    ['{"lap": "secret"}', 'ENDPOINT_KEYS: names an endpoint that MODEL_OVERRIDES does not have (those are lab)'],
    ['{"secret": "lab"}', 'ENDPOINT_KEYS: names an endpoint that MODEL_OVERRIDES does not have (those are lab)'],
  ])('is refused without a word of what it holds: %s', (json, problem) => {
    expect(problemsOf(() => parseEndpointKeys(json, ['lab']))).toEqual([problem]);
  });

  it('is refused where there are no endpoints', () => {
    expect(problemsOf(() => parseEndpointKeys('{"lab": "secret"}', []))).toEqual([
      'ENDPOINT_KEYS: names an endpoint that MODEL_OVERRIDES does not have (there are none)',
    ]);
  });
});
