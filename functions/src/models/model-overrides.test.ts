import { parseEndpointKeys, parseModelOverrides } from './model-overrides';

const ENDPOINTS = { lab: { baseUrl: 'https://lab.example/v1' } };
const NOT_HERE = 'must be https: plain http is for servers on this machine (localhost, 127.0.0.1, [::1])';
const NO_URL = 'must be an http or https URL';
const atUrl = (baseUrl: string, flaw: string): [object, string] => [
  { endpoints: { lab: { baseUrl } } },
  `.endpoints.lab.baseUrl: ${flaw}`,
];
const twelve = Array.from({ length: 12 }, () => ({}));
const noId = (at: number) => `.models[${at}].id: Invalid input: expected string, received undefined`;

/** Settings, and the path and message of each fault. */
const REFUSED: readonly (readonly [settings: unknown, ...problems: string[]])[] = [
  [[], ': Invalid input: expected object, received array'],
  [{ model: [] }, '.model: is not a known field'],
  [{ models: [{}] }, noId(0)],
  [{ models: twelve }, ...twelve.slice(0, 10).map((_, at) => noId(at)), 'and 2 more'],
  [{ models: [{ id: 'a ' }] }, '.models[0].id: must not be empty, nor begin or end with a space'],
  [{ models: [{ id: 'a', contxtTokens: 5 }] }, '.models[0].contxtTokens: is not a known field'],
  [
    { models: [{ id: 'a' }, { id: 'b', price: { inputUsdPerMillion: 3e6, outputUsdPerMillion: 1 } }] },
    '.models[1].price.inputUsdPerMillion: Too big: expected number to be <=10000',
  ],
  [
    { models: [{ id: 'a', provider: 'openai', endpoint: 'lab' }], endpoints: ENDPOINTS },
    '.models[0].provider: must be left out where endpoint is given',
  ],
  [{ models: [{ id: 'a' }, { id: 'a' }] }, '.models[1].id: "a" is there twice'],
  // A name like that of a property of every object.
  [{ models: [{ id: 'a', endpoint: 'toString' }] }, '.models[0].endpoint: "toString" is not one of endpoints'],
  [
    { endpoints: { 'My Lab': ENDPOINTS.lab } },
    '.endpoints.My Lab: a name has 1 to 32 lowercase letters, digits, hyphens and underscores',
  ],
  [{ endpoints: { lab: { ...ENDPOINTS.lab, apiKey: 'x' } } }, '.endpoints.lab.apiKey: is not a known field'],
  ...[
    ...['http://192.168.1.7:8000/v1', 'http://[fd00::7]/v1', 'http://host.docker.internal:11434/v1'],
    'http://127.0.0.1.evil.example/v1',
  ].map((url) => atUrl(url, NOT_HERE)),
  ...['ftp://lab.example/v1', ''].map((url) => atUrl(url, NO_URL)),
  atUrl('https://user:secret@lab.example/v1', 'must not hold a user or password'),
  atUrl('https://lab.example/v1?key=secret', 'must not have a query or fragment'),
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
  const fields = {
    ...{ id: 'claude-next', maxOutputTokens: 64_000, contextTokens: 131_072, sampling: false, reasoningEffort: true },
    ...{ firstEventSeconds: 500, thoughtsUnopened: true, vision: true, tools: true },
    price: {
      ...{ inputUsdPerMillion: 0.5, outputUsdPerMillion: 1.5, cachedInputUsdPerMillion: 0 },
      cacheWriteInputUsdPerMillion: 0.625,
    },
  } as const;
  const house = { id: 'house', name: 'House', providerModel: 'Org/Model-70B' };

  it.each<[settings: object, models: readonly object[]]>([
    [{}, []],
    [{ models: [{ ...fields, provider: 'anthropic' }] }, [{ ...fields, provider: 'anthropic' }]],
    [{ models: [{ ...house, endpoint: 'lab' }], endpoints: ENDPOINTS }, [{ ...house, provider: 'endpoint:lab' }]],
    [{ endpoints: { lab: { ...ENDPOINTS.lab, concurrency: 1 } } }, []],
    ...['http://localhost:11434/v1', 'http://127.0.0.1:8000/v1', 'http://[::1]:8000/v1'].map(
      (baseUrl): [object, []] => [{ endpoints: { lab: { baseUrl } } }, []],
    ),
  ])('%j are read', (settings, models) => {
    expect(parseModelOverrides(JSON.stringify(settings))).toEqual({ endpoints: {}, ...settings, models });
  });

  it('may be missing', () => expect(parseModelOverrides('')).toEqual({ models: [], endpoints: {} }));

  it.each(REFUSED.map(([settings, ...problems]) => ({ settings, problems })))(
    '$settings are refused by path',
    ({ settings, problems }) => {
      const told = problems.map((problem) => (problem.startsWith('and ') ? problem : `MODEL_OVERRIDES${problem}`));
      expect(problemsOf(() => parseModelOverrides(JSON.stringify(settings)))).toEqual(told);
    },
  );

  it('tell where they stop being JSON, and quote none of it', () => {
    expect(problemsOf(() => parseModelOverrides('{"models": [{"id": "a" "name": "secret"}]}'))).toEqual([
      'MODEL_OVERRIDES: must be JSON (fault at position 23 (line 1 column 24))',
    ]);
  });
});

describe('ENDPOINT_KEYS', () => {
  it('gives endpoints their keys; one without needs none', () => {
    expect(parseEndpointKeys('', ['lab'])).toEqual(new Map());
    expect(parseEndpointKeys('{"lab": "secret"}', ['lab', 'cellar'])).toEqual(new Map([['lab', 'secret']]));
  });

  const shape = 'ENDPOINT_KEYS: must be a JSON object of the endpoints\u2019 names and keys, which are strings';
  const unknown = 'ENDPOINT_KEYS: names an endpoint that MODEL_OVERRIDES does not have';
  it.each([
    ['{"lab": secret}', ['lab'], 'ENDPOINT_KEYS: must be JSON'],
    ['"secret"', ['lab'], shape],
    ['{"lab": 7}', ['lab'], shape],
    ['{"lab": ""}', ['lab'], shape],
    ['{"secret": "lab"}', ['lab'], `${unknown} (those are lab)`],
    ['{"secret": "lab"}', [], `${unknown} (there are none)`],
  ])('is refused without a word of what it holds: %s of %j', (json, endpoints, problem) => {
    expect(problemsOf(() => parseEndpointKeys(json, endpoints))).toEqual([problem]);
  });
});
