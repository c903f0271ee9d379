import { parseEndpointKeys, parseModelOverrides } from './model-overrides';

const ENDPOINTS = { lab: { baseUrl: 'https://lab.example/v1' } };

/** Settings, and the path and the message of their fault. */
const REFUSED: readonly (readonly [rule: string, settings: unknown, problem: string])[] = [
  ['not an object', [], ': Invalid input: expected object, received array'],
  ['unknown part', { model: [] }, '.model: is not a known field'],
  ['no id', { models: [{}] }, '.models[0].id: Invalid input: expected string, received undefined'],
  ['a space at an end', { models: [{ id: 'a ' }] }, '.models[0].id: must not be empty, nor begin or end with a space'],
  ['unknown field', { models: [{ id: 'a', contxtTokens: 5 }] }, '.models[0].contxtTokens: is not a known field'],
  [
    'price beyond reason',
    { models: [{ id: 'a' }, { id: 'b', price: { inputUsdPerMillion: 3e6, outputUsdPerMillion: 1 } }] },
    '.models[1].price.inputUsdPerMillion: Too big: expected number to be <=10000',
  ],
  [
    'provider and endpoint',
    { models: [{ id: 'a', provider: 'openai', endpoint: 'lab' }], endpoints: ENDPOINTS },
    '.models[0].provider: must be left out where endpoint is given',
  ],
  ['an id twice', { models: [{ id: 'a' }, { id: 'a' }] }, '.models[1].id: "a" is there twice'],
  [
    'endpoint named like a property of every object',
    { models: [{ id: 'a', endpoint: 'toString' }] },
    '.models[0].endpoint: "toString" is not one of endpoints',
  ],
  [
    'endpoint with a bad name',
    { endpoints: { 'My Lab': ENDPOINTS.lab } },
    '.endpoints.My Lab: a name has 1 to 32 lowercase letters, digits, hyphens and underscores',
  ],
  [
    'a key among the endpoint’s fields',
    { endpoints: { lab: { ...ENDPOINTS.lab, apiKey: 'secret' } } },
    '.endpoints.lab.apiKey: is not a known field',
  ],
];

const NOT_HERE = 'must be https: plain http is for servers on this machine (localhost, 127.0.0.1, [::1])';
const BASE_URLS: readonly (readonly [url: string, flaw: string | null])[] = [
  ['https://api.lab.example/v1', null],
  ['http://localhost:11434/v1', null],
  ['http://127.0.0.1:8000/v1', null],
  ['http://[::1]:8000/v1', null],
  ['http://192.168.1.7:8000/v1', NOT_HERE],
  ['http://[fd00::7]/v1', NOT_HERE],
  ['http://host.docker.internal:11434/v1', NOT_HERE],
  ['http://127.0.0.1.evil.example/v1', NOT_HERE],
  ['ftp://lab.example/v1', 'must be an http or https URL'],
  ['', 'must be an http or https URL'],
  ['https://user:secret@lab.example/v1', 'must not hold a user or password'],
  ['https://lab.example/v1?key=secret', 'must not have a query or fragment'],
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

  it.each(REFUSED)('is refused by path: %s', (_, settings, problem) => {
    expect(problemsOf(() => parseModelOverrides(JSON.stringify(settings)))).toEqual([`MODEL_OVERRIDES${problem}`]);
  });

  it('is refused with every fault, the first ten by name', () => {
    const json = JSON.stringify({ models: Array.from({ length: 12 }, () => ({})) });
    const problems = problemsOf(() => parseModelOverrides(json));
    expect([problems.length, problems.at(-1)]).toEqual([11, 'and 2 more']);
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
