import { errorBody } from '../support/api-errors';
import { type App, answer, EVALUATIONS_PATH, judges, startApp } from '../support/app';
import { ROLE_KEYS } from '../support/judges';

interface Row {
  readonly rule: string;
  readonly request: Record<string, unknown>;
  readonly message: string;
}

const NAME = 'must be a non-empty string of at most 200 characters';
const PLAIN = 'must be well-formed text without control characters';
const PROMPT = 'prompt is required and must be a non-empty string';
const RESPONSES = 'responses is required and must be a non-empty array';
const JUDGES = 'judge_models is required and must be a non-empty array';
const STRATEGY = 'strategy must be one of standard, speed_pair, round_robin, competitive_refinement';
const ROLES =
  'must be one of blueTeam, redTeam, whiteTeam, proposition, opposition, judge, strategist, implementer, reviewer';
const good = answer('a', 'Yes.');
const responses = (third: unknown): unknown[] => [good, good, third];

const REFUSED: readonly Row[] = [
  { rule: 'prompt is required', request: { prompt: undefined }, message: PROMPT },
  { rule: 'prompt null counts as missing', request: { prompt: null }, message: PROMPT },
  { rule: 'prompt must not be empty', request: { prompt: '' }, message: PROMPT },
  { rule: 'prompt must not be blank', request: { prompt: ' \n' }, message: PROMPT },
  { rule: 'prompt is a string', request: { prompt: 7 }, message: PROMPT },
  { rule: 'responses is required', request: { responses: undefined }, message: RESPONSES },
  { rule: 'responses null counts as missing', request: { responses: null }, message: RESPONSES },
  { rule: 'responses has at least one item', request: { responses: [] }, message: RESPONSES },
  { rule: 'responses is an array', request: { responses: good }, message: RESPONSES },
  {
    rule: 'a response is an object',
    request: { responses: responses('Yes.') },
    message: 'responses[2] must be an object',
  },
  {
    rule: 'a response is not null',
    request: { responses: responses(null) },
    message: 'responses[2] must be an object',
  },
  { rule: 'a response is no array', request: { responses: responses([]) }, message: 'responses[2] must be an object' },
  {
    rule: 'modelId is required',
    request: { responses: responses({ ...good, modelId: undefined }) },
    message: `responses[2].modelId ${NAME}`,
  },
  {
    rule: 'modelId must not be blank',
    request: { responses: responses({ ...good, modelId: ' ' }) },
    message: `responses[2].modelId ${NAME}`,
  },
  {
    rule: 'modelId has an end',
    request: { responses: responses({ ...good, modelId: 'x'.repeat(201) }) },
    message: `responses[2].modelId ${NAME}`,
  },
  ...['modelId', 'modelName'].flatMap((field) =>
    ['a\ud800', '\udc00a', 'a\u0000b', 'a\n', 'a\u0085'].map((value) => ({
      rule: `${field} is well-formed, without control characters: ${JSON.stringify(value)}`,
      request: { responses: responses({ ...good, [field]: value }) },
      message: `responses[2].${field} ${PLAIN}`,
    })),
  ),
  ...['id', 'name'].map((field) => ({
    rule: `so is the ${field} of a judge`,
    request: { judge_models: [{ id: 'judge', name: 'Judge', [field]: 'j\ud800' }] },
    message: `judge_models[0].${field} ${PLAIN}`,
  })),
  {
    rule: 'modelName is required',
    request: { responses: responses({ ...good, modelName: undefined }) },
    message: `responses[2].modelName ${NAME}`,
  },
  {
    rule: 'modelName is a string',
    request: { responses: responses({ ...good, modelName: 4 }) },
    message: `responses[2].modelName ${NAME}`,
  },
  {
    rule: 'response is required',
    request: { responses: responses({ modelId: 'a', modelName: 'A' }) },
    message: 'responses[2].response must be a non-empty string',
  },
  {
    rule: 'response must not be empty',
    request: { responses: responses({ ...good, response: '' }) },
    message: 'responses[2].response must be a non-empty string',
  },
  {
    rule: 'response is a string',
    request: { responses: responses({ ...good, response: ['Yes.'] }) },
    message: 'responses[2].response must be a non-empty string',
  },
  {
    rule: 'role is one of nine',
    request: { responses: responses({ ...good, role: 'greenTeam' }) },
    message: `responses[2].role ${ROLES}`,
  },
  {
    rule: 'role is told by case',
    request: { responses: responses({ ...good, role: 'blueteam' }) },
    message: `responses[2].role ${ROLES}`,
  },
  {
    rule: 'role is a string',
    request: { responses: responses({ ...good, role: 1 }) },
    message: `responses[2].role ${ROLES}`,
  },
  { rule: 'judge_models is required', request: { judge_models: undefined }, message: JUDGES },
  { rule: 'judge_models has at least one item', request: { judge_models: [] }, message: JUDGES },
  { rule: 'judge_models is an array', request: { judge_models: 'judge-1' }, message: JUDGES },
  {
    rule: 'a judge is an object',
    request: { judge_models: ['judge-1'] },
    message: 'judge_models[0] must be an object',
  },
  {
    rule: 'a judge’s id is required',
    request: { judge_models: [...judges('x'), { name: 'Y' }] },
    message: `judge_models[1].id ${NAME}`,
  },
  {
    rule: 'a judge’s name is required',
    request: { judge_models: [{ id: 'x' }] },
    message: `judge_models[0].name ${NAME}`,
  },
  { rule: 'strategy is one of four', request: { strategy: 'debate_tournament' }, message: STRATEGY },
  { rule: 'strategy is told by case', request: { strategy: 'Standard' }, message: STRATEGY },
  { rule: 'strategy is a string', request: { strategy: 1 }, message: STRATEGY },
  { rule: 'strategy is not empty', request: { strategy: '' }, message: STRATEGY },
  { rule: 'weighted is a boolean', request: { weighted: 'true' }, message: 'weighted must be a boolean' },
];

const TOO_MANY: readonly { request: Record<string, unknown>; calls: number }[] = [
  {
    request: { evaluation_mode: 'pointwise', responses: Array(101).fill(good), judge_models: judges('x', 'y') },
    calls: 202,
  },
  { request: { responses: Array(9).fill(good), judge_models: judges(...Array(101).fill('x')) }, calls: 202 },
  { request: { strategy: 'competitive_refinement', judge_models: judges(...Array(101).fill('x')) }, calls: 202 },
  {
    request: {
      evaluation_mode: 'pointwise',
      strategy: 'round_robin',
      responses: Array(101).fill(good),
      judge_models: judges('x', 'y', 'a'),
    },
    calls: 202,
  },
];

describe('POST /v1/evaluations: the request', () => {
  let app: App;
  beforeAll(async () => {
    app = await startApp();
  });
  beforeEach(() => app.models.reset());
  afterAll(() => app.close());

  it.each(REFUSED)('$rule (400, asks nobody)', async ({ request, message }) => {
    const { status, body, calls } = await app.evaluate<unknown>(request);
    expect({ status, body }).toEqual({ status: 400, body: errorBody(`Invalid request: ${message}`) });
    expect(calls).toEqual([]);
  });

  it.each(['[]', '"x"', 'null'])('a body that is no object (%s): 400', async (body) => {
    expect((await app.send(EVALUATIONS_PATH, body)).status).toBe(400);
  });

  it.each(TOO_MANY)('a plan of $calls calls is over 200: 400 names its size', async ({ request, calls }) => {
    const { status, body } = await app.evaluate<unknown>(request);
    const message = `Invalid request: the evaluation needs up to ${calls} judge calls, at most 200 are allowed`;
    expect({ status, body }).toEqual({ status: 400, body: errorBody(message) });
    expect(app.models.calls).toEqual([]);
  });

  it('a plan of 200 calls is carried out', async () => {
    const request = { evaluation_mode: 'pointwise', responses: Array(100).fill(good), judge_models: judges('x', 'y') };
    const { status, calls } = await app.evaluate(request);
    expect(status).toBe(200);
    expect(calls).toHaveLength(200);
  });

  it.each([undefined, null, 'standard', 'listwise', 7, {}, ''])(
    'evaluation_mode %j is standard',
    async (evaluation_mode) => {
      const { body, calls } = await app.evaluate({ evaluation_mode });
      expect(body.evaluations.map((one) => one.evaluationMode)).toEqual(['standard', 'standard']);
      expect(calls).toHaveLength(1);
    },
  );

  it('evaluation_mode pointwise is pointwise', async () => {
    const { body, calls } = await app.evaluate({ evaluation_mode: 'pointwise' });
    expect(body.evaluations.map((one) => one.evaluationMode)).toEqual(['pointwise', 'pointwise']);
    expect(calls).toHaveLength(2);
  });

  it.each([
    [undefined, false],
    [null, false],
    [false, false],
    [true, true],
  ])('weighted %j comes back as %j', async (weighted, echoed) => {
    const { body } = await app.evaluate({ weighted });
    expect(body.evaluations.map((one) => one.weighted)).toEqual([echoed, echoed]);
  });

  it('nulls mean absent, and unknown fields are ignored', async () => {
    const { status, body } = await app.evaluate({
      strategy: null,
      responses: [{ ...good, role: null, extra: [] }],
      extra: {},
    });
    expect(status).toBe(200);
    expect(body.evaluations[0]).not.toHaveProperty('role');
  });

  it.each(Object.keys(ROLE_KEYS))('role %s is accepted and comes back', async (role) => {
    const { status, body } = await app.evaluate({ responses: [answer('a', 'Yes.', role)] });
    expect({ status, role: body.evaluations[0]?.role }).toEqual({ status: 200, role });
  });
});
