import { systemClock } from '../../src/lib/clock';
import { createCatalog } from '../../src/models/catalog';
import { createGateway } from '../../src/models/gateway/gateway';
import { type GatewayCall, newMeter } from '../../src/models/gateway/gateway-call';
import { RetryBudget } from '../../src/models/gateway/retry-budget';
import {
  type FakeUpstream,
  type RecordedRequest,
  sendEvents,
  sendStatus,
  startFakeUpstream,
} from '../support/fake-upstream';
import { PROTOCOLS } from '../support/protocols';
import { scopeOf } from '../support/request-scope';

/** A model that refuses to be told how much to think is asked once more without, and from then on from the start. */

const { modelOf } = createCatalog();
const MODELS = {
  openai: { model: 'gpt-5.5', other: 'gpt-5-mini' },
  anthropic: { model: 'claude-opus-5-5', other: 'claude-sonnet-5' },
  google: { model: 'gemini-3.8-flash', other: 'gemini-2.5-pro' },
};
const OPENAI_REPORT = {
  error: {
    message: "Unsupported parameter: 'reasoning_effort' is not supported with this model.",
    type: 'invalid_request_error',
    param: 'reasoning_effort',
    code: 'unsupported_parameter',
  },
};
/** How each says so; compatible servers with a 422 and a report of their own. */
const REFUSALS = {
  openai: [
    [400, OPENAI_REPORT],
    [
      422,
      {
        detail: [{ type: 'extra_forbidden', loc: ['body', 'reasoning_effort'], msg: 'Extra inputs are not permitted' }],
      },
    ],
    [400, { object: 'error', message: 'Argument not supported on this model: reasoningEffort', code: 400 }],
  ],
  anthropic: [
    [
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'This model does not support the effort parameter.' },
      },
    ],
    [
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'adaptive thinking is not supported on this model' },
      },
    ],
  ],
  google: [
    [
      400,
      { error: { code: 400, message: 'Thinking level is not supported for this model.', status: 'INVALID_ARGUMENT' } },
    ],
    [
      400,
      {
        error: {
          code: 400,
          message: 'Invalid value at generation_config.thinking_config.thinking_budget',
          status: 'INVALID_ARGUMENT',
        },
      },
    ],
  ],
} as const;
const SCHEMA = {
  name: 'verdict',
  schema: { type: 'object', properties: {}, required: [], additionalProperties: false },
};

const asksForEffort = ({ body }: RecordedRequest): boolean =>
  /"(?:reasoning_effort|effort|thinking(?:Config)?)":/.test(body);
const asksForSchema = ({ body }: RecordedRequest): boolean => /"(?:json_schema|responseJsonSchema)"/.test(body);

describe.each(PROTOCOLS)('$name: the effort is refused', ({ name, create, events, errorBody }) => {
  let upstream: FakeUpstream;
  let refuses: (request: RecordedRequest) => object | undefined;
  let status: number;

  beforeEach(async () => {
    status = 400;
    refuses = () => undefined;
    upstream = await startFakeUpstream((exchange) => {
      const body = refuses(exchange.request);
      return (body ? sendStatus(status, body) : sendEvents(events))(exchange);
    });
  });
  afterEach(() => upstream.close());

  function setup() {
    const provider = create(upstream.url);
    const gateway = createGateway({ clock: systemClock, provider: () => provider });
    const retries = new RetryBudget();
    const faults: (string | undefined)[] = [];
    const ask = (change: Partial<GatewayCall> = {}) =>
      gateway.call({
        scope: scopeOf('q1', retries),
        model: modelOf(MODELS[name].model),
        prompt: { turns: [{ role: 'user', text: 'x' }] },
        purpose: 'draft',
        reasoningEffort: 'high',
        signal: new AbortController().signal,
        budgetMs: 60_000,
        openAttempt: () => ({
          meter: newMeter(),
          close: (fault) => void faults.push(fault),
          cancel: () => undefined,
        }),
        ...change,
      });
    return { ask, retries, faults };
  }
  const sent = () => upstream.requests.map((request) => [asksForEffort(request), asksForSchema(request)]);

  it.each(REFUSALS[name].map(([code, body]) => ({ code, body })))(
    'asks once more without it, as an attempt of its own: $code $body',
    async ({ code, body }) => {
      status = code;
      refuses = (request) => (asksForEffort(request) ? body : undefined);
      const { ask, faults, retries } = setup();
      expect(await ask()).toMatchObject({ ok: true, refused: ['reasoningEffort'] });
      expect(sent()).toEqual([
        [true, false],
        [false, false],
      ]);
      expect(faults).toEqual(['bad_request', undefined]);
      // It is no repetition: those of the request are left for what may repeat.
      expect([retries.take(), retries.take(), retries.take()]).toEqual([true, true, false]);
    },
  );

  const [[, refusal]] = REFUSALS[name];

  it('asks without it from the start afterwards, that model and that effort only', async () => {
    refuses = (request) => (asksForEffort(request) ? refusal : undefined);
    const { ask } = setup();
    await ask();
    expect(await ask()).toMatchObject({ ok: true, refused: ['reasoningEffort'] });
    await ask({ reasoningEffort: 'low' });
    await ask({ model: modelOf(MODELS[name].other) });
    expect(sent().map(([effort]) => effort)).toEqual([true, false, false, true, false, true, false]);
  });

  it('keeps the schema, which was not what was refused', async () => {
    refuses = (request) => (asksForEffort(request) ? refusal : undefined);
    const { ask } = setup();
    expect(await ask({ purpose: 'plan', outputSchema: SCHEMA })).toMatchObject({ ok: true });
    expect(sent()).toEqual([
      [true, true],
      [false, true],
    ]);
  });

  it('of a schema that is refused the effort is kept, and only the schema is told of', async () => {
    refuses = (request) => (asksForSchema(request) ? errorBody('response format is not supported') : undefined);
    const { ask } = setup();
    expect(await ask({ purpose: 'plan', outputSchema: SCHEMA })).toMatchObject({ refused: ['outputSchema'] });
    expect(sent()).toEqual([
      [true, true],
      [true, false],
    ]);
  });

  it('does without both where both are refused, and never asks a fourth time', async () => {
    refuses = (request) => {
      if (asksForSchema(request)) return errorBody('response format is not supported');
      return asksForEffort(request) ? refusal : undefined;
    };
    const { ask } = setup();
    expect(await ask({ purpose: 'plan', outputSchema: SCHEMA })).toMatchObject({ ok: true });
    expect(sent()).toEqual([
      [true, true],
      [true, false],
      [false, false],
    ]);
    refuses = () => refusal;
    const before = upstream.requests.length;
    const call = { purpose: 'plan', outputSchema: SCHEMA, model: modelOf(MODELS[name].other) } as const;
    expect(await ask(call)).toMatchObject({ ok: false, fault: 'bad_request' });
    expect(sent().slice(before)).toEqual([
      [true, true],
      [false, true],
      [false, false],
    ]);
  });

  it('a refusal of something else is final, and nothing is remembered of it', async () => {
    refuses = () => errorBody('messages: at least one message is required');
    const { ask } = setup();
    expect(await ask()).toMatchObject({ ok: false, fault: 'bad_request' });
    await ask();
    expect(sent().map(([effort]) => effort)).toEqual([true, true]);
  });

  it('a call without an effort is not asked again, whatever the refusal names', async () => {
    refuses = () => refusal;
    const { ask } = setup();
    const { reasoningEffort: _, ...plain } = { reasoningEffort: 'high' };
    expect(await ask({ ...plain, model: { ...modelOf(MODELS[name].model), reasoningEffort: false } })).toMatchObject({
      ok: false,
    });
    expect(sent()).toEqual([[false, false]]);
  });
});
