import { errorBody } from '../support/api-errors';
import { answer, EVALUATIONS_PATH, judges, sharedApp } from '../support/app';
import { ROLE_KEYS } from '../support/judges';

const NAME = 'must be a non-empty string of at most 200 characters';
const PLAIN = 'must be well-formed text without control characters';
const STRATEGY = 'strategy must be one of standard, speed_pair, round_robin, competitive_refinement';
const ROLES =
  'must be one of blueTeam, redTeam, whiteTeam, proposition, opposition, judge, strategist, implementer, reviewer';
const good = answer('a', 'Yes.');

/** Values that a field is refused with, each with the same message. */
const REFUSED: readonly (readonly [field: string, message: string, ...values: unknown[]])[] = [
  ['prompt', 'prompt is required and must be a non-empty string', undefined, null, '', ' \n', 7],
  ['responses', 'responses is required and must be a non-empty array', undefined, null, [], good],
  ['judge_models', 'judge_models is required and must be a non-empty array', undefined, [], 'judge-1'],
  ['strategy', STRATEGY, 'debate_tournament', 'Standard', 1, ''],
  ['weighted', 'weighted must be a boolean', 'true'],
];
const REFUSED_OF_RESPONSES: typeof REFUSED = [
  ['', 'responses[2] must be an object', 'Yes.', null, []],
  ['modelId', `responses[2].modelId ${NAME}`, undefined, ' ', 'x'.repeat(201)],
  ['modelId', `responses[2].modelId ${PLAIN}`, 'a\ud800', '\udc00a', 'a\u0000b', 'a\n', 'a\u0085'],
  ['modelName', `responses[2].modelName ${NAME}`, undefined, 4],
  ['modelName', `responses[2].modelName ${PLAIN}`, 'a\ud800', 'a\u0000b'],
  ['response', 'responses[2].response must be a non-empty string', undefined, '', ['Yes.']],
  ['role', `responses[2].role ${ROLES}`, 'greenTeam', 'blueteam', 1],
];
const REFUSED_OF_JUDGES: typeof REFUSED = [
  ['', 'judge_models[1] must be an object', 'judge-1'],
  ['id', `judge_models[1].id ${NAME}`, undefined],
  ['id', `judge_models[1].id ${PLAIN}`, 'j\ud800'],
  ['name', `judge_models[1].name ${NAME}`, undefined],
  ['name', `judge_models[1].name ${PLAIN}`, 'j\ud800'],
];

const rowsOf = (table: typeof REFUSED, requestOf: (field: string, value: unknown) => Record<string, unknown>) =>
  table.flatMap(([field, message, ...values]) =>
    values.map((value) => [message, JSON.stringify(value)?.slice(0, 20), requestOf(field, value)] as const),
  );
const itemOf = (item: object, field: string, value: unknown) => (field === '' ? value : { ...item, [field]: value });
const ROWS = [
  ...rowsOf(REFUSED, (field, value) => ({ [field]: value })),
  ...rowsOf(REFUSED_OF_RESPONSES, (field, value) => ({ responses: [good, good, itemOf(good, field, value)] })),
  ...rowsOf(REFUSED_OF_JUDGES, (field, value) => {
    const [judge = {}] = judges('y');
    return { judge_models: [...judges('x'), itemOf(judge, field, value)] };
  }),
];

const TOO_MANY: readonly Record<string, unknown>[] = [
  { evaluation_mode: 'pointwise', responses: Array(101).fill(good), judge_models: judges('x', 'y') },
  { responses: Array(9).fill(good), judge_models: judges(...Array(101).fill('x')) },
  { strategy: 'competitive_refinement', judge_models: judges(...Array(101).fill('x')) },
  {
    ...{ evaluation_mode: 'pointwise', strategy: 'round_robin' },
    ...{ responses: Array(101).fill(good), judge_models: judges('x', 'y', 'a') },
  },
];

describe('POST /v1/evaluations: the request', () => {
  const app = sharedApp();

  it.each(ROWS)('%s: not %s (400, asks nobody)', async (message, _, request) => {
    const { status, body, calls } = await app.evaluate<unknown>(request);
    expect({ status, body }).toEqual({ status: 400, body: errorBody(`Invalid request: ${message}`) });
    expect(calls).toEqual([]);
  });

  it.each(['[]', '"x"', 'null'])('a body that is no object (%s): 400', async (body) => {
    expect((await app.send(EVALUATIONS_PATH, body)).status).toBe(400);
  });

  it.each(TOO_MANY)('a plan of 202 calls is over 200: 400 names its size (%#)', async (request) => {
    const { status, body } = await app.evaluate<unknown>(request);
    const message = 'Invalid request: the evaluation needs up to 202 judge calls, at most 200 are allowed';
    expect({ status, body }).toEqual({ status: 400, body: errorBody(message) });
    expect(app.models.calls).toEqual([]);
  });

  it('a plan of 200 calls is carried out', async () => {
    const request = { evaluation_mode: 'pointwise', responses: Array(100).fill(good), judge_models: judges('x', 'y') };
    const { status, calls } = await app.evaluate(request);
    expect([status, calls.length]).toEqual([200, 200]);
  });

  it.each([
    [undefined, 'standard', 1],
    [null, 'standard', 1],
    ['listwise', 'standard', 1],
    [7, 'standard', 1],
    ['pointwise', 'pointwise', 2],
  ])('evaluation_mode %j is %s', async (evaluation_mode, mode, made) => {
    const { body, calls } = await app.evaluate({ evaluation_mode, weighted: mode === 'standard' ? null : true });
    expect(body.evaluations.map((one) => [one.evaluationMode, one.weighted])).toEqual(
      Array(2).fill([mode, mode !== 'standard']),
    );
    expect(calls).toHaveLength(made);
  });

  it('nulls mean absent, and unknown fields are ignored', async () => {
    const responses = [{ ...good, role: null, extra: [] }];
    const { status, body } = await app.evaluate({ strategy: null, responses, extra: {} });
    expect(status).toBe(200);
    expect(body.evaluations[0]).not.toHaveProperty('role');
  });

  it('every role is accepted and comes back', async () => {
    const roles = Object.keys(ROLE_KEYS);
    const { body } = await app.evaluate({ responses: roles.map((role) => answer('a', 'Yes.', role)) });
    expect(body.evaluations.map(({ role }) => role)).toEqual(roles);
  });
});
