import { fakeClock } from '../../../test/support/fake-clock';
import { scopeOf } from '../../../test/support/request-scope';
import { createCatalog } from '../catalog';
import { ModelFault, type ModelFaultKind, type ModelProvider, type ProviderCall } from '../model';
import { createGateway } from './gateway';
import { type GatewayCall, type ModelGateway, newMeter } from './gateway-call';

const { modelOf } = createCatalog();

const SCHEMA = { name: 'verdict', schema: { type: 'object' } };

/** A gateway to models that answer `fine` unless `fault` says otherwise; what was sent, and every attempt, is recorded. */
function setup(
  fault: (call: ProviderCall) => ModelFaultKind | undefined,
  holds: ModelProvider['holds'] = () => false,
  faultAfterText?: ModelFaultKind,
) {
  const clock = fakeClock();
  const sent: ProviderCall[] = [];
  const attempts: number[] = [];
  const gateway: ModelGateway = createGateway({
    clock,
    provider: () => ({
      holds,
      run: async (call, listener) => {
        sent.push(call);
        const kind = fault(call);
        if (kind) throw new ModelFault(kind);
        await listener.text('fine');
        if (faultAfterText) throw new ModelFault(faultAfterText);
        return 'stop';
      },
    }),
  });
  const ask = (change: Partial<GatewayCall> = {}) =>
    gateway.call({
      scope: scopeOf('q1'),
      model: modelOf('gpt-4o'),
      prompt: { turns: [{ role: 'user', text: 'x' }] },
      purpose: 'judge',
      sampling: { temperature: 0 },
      outputSchema: SCHEMA,
      signal: new AbortController().signal,
      budgetMs: 60_000,
      openAttempt: (attempt) => {
        attempts.push(attempt);
        return { meter: newMeter(), close: () => undefined, cancel: () => undefined };
      },
      ...change,
    });
  return { clock, sent, attempts, ask };
}

const refusesSchemas = (call: ProviderCall): ModelFaultKind | undefined =>
  call.outputSchema ? 'bad_request' : undefined;
const refusesNothing = (): undefined => undefined;
const shapes = (sent: readonly ProviderCall[]): unknown[] =>
  sent.map(({ outputSchema, sampling }) => [outputSchema, sampling]);

describe('a call with an output schema', () => {
  it('passes it on, with the sampling', async () => {
    const { ask, sent } = setup(() => undefined);
    expect(await ask()).toMatchObject({ ok: true });
    expect(shapes(sent)).toEqual([[SCHEMA, { temperature: 0 }]]);
  });

  it('that is refused is made once more without it, as an attempt of its own', async () => {
    const { ask, sent, attempts } = setup(refusesSchemas);
    expect(await ask()).toMatchObject({ ok: true, text: 'fine' });
    expect(shapes(sent)).toEqual([
      [SCHEMA, { temperature: 0 }],
      [undefined, {}],
    ]);
    expect(attempts).toEqual([1, 2]);
  });

  it('is made without it from the start once a model has refused one, and only for that model', async () => {
    const { ask, sent, attempts } = setup(refusesSchemas);
    await ask();
    await ask();
    await ask({ model: modelOf('gpt-4.1') });
    expect(sent.map(({ providerModel, outputSchema }) => [providerModel, outputSchema !== undefined])).toEqual([
      ['gpt-4o', true],
      ['gpt-4o', false],
      ['gpt-4o', false],
      ['gpt-4.1', true],
      ['gpt-4.1', false],
    ]);
    expect(attempts).toEqual([1, 2, 1, 1, 2]);
  });

  it('regression: refused for one caller’s temperature it keeps its schema for all others', async () => {
    const { ask, sent } = setup(({ sampling }) => ((sampling.temperature ?? 0) > 1 ? 'bad_request' : undefined));
    await ask({ sampling: { temperature: 2 } });
    await ask({ sampling: { temperature: 0 } });
    expect(shapes(sent)).toEqual([
      [SCHEMA, { temperature: 2 }],
      [undefined, {}],
      [SCHEMA, { temperature: 0 }],
    ]);
  });

  it('refused for another reason is refused both times, and nothing is remembered', async () => {
    const { ask, sent } = setup(() => 'bad_request');
    expect(await ask()).toMatchObject({ ok: false, fault: 'bad_request' });
    await ask();
    expect(sent.map(({ outputSchema }) => outputSchema !== undefined)).toEqual([true, false, true, false]);
  });

  it.each(['unauthorized', 'content_filter', 'context_length'] as const)(
    'that fails by %s is not made again',
    async (kind) => {
      const { ask, sent } = setup(() => kind);
      expect(await ask()).toMatchObject({ ok: false, fault: kind });
      expect(sent).toHaveLength(1);
    },
  );

  it('of which text was passed on before the refusal is not made again', async () => {
    const pieces: string[] = [];
    const { ask, sent } = setup(
      () => undefined,
      () => true,
      'bad_request',
    );
    const result = await ask({ reasoningEffort: 'high', onText: (piece) => void pieces.push(piece) });
    expect(result).toMatchObject({ ok: false, fault: 'bad_request', streamed: true });
    expect([sent.length, pieces]).toEqual([1, ['fine']]);
  });

  it.each(['bad_request', 'server'] as const)(
    'is not made again after %s when nothing is left to pay for that',
    async (kind) => {
      const { ask, attempts } = setup(() => kind);
      expect(await ask({ mayAskAgain: () => false })).toMatchObject({ ok: false, fault: kind });
      expect(attempts).toEqual([1]);
      const paid = setup(refusesSchemas);
      expect(await paid.ask({ mayAskAgain: () => true })).toMatchObject({ ok: true });
      expect(paid.attempts).toEqual([1, 2]);
    },
  );

  it('keeps its retries on both sides of the downgrade', async () => {
    let calls = 0;
    const { ask, clock, attempts } = setup((call) => {
      calls += 1;
      return refusesSchemas(call) ?? (calls === 2 ? 'overloaded' : undefined);
    });
    const result = ask();
    await clock.advance(250);
    expect(await result).toMatchObject({ ok: true });
    expect(attempts).toEqual([1, 2, 3]);
  });

  describe('for an answer, in a form of the caller’s', () => {
    const form = (title: string) => ({ name: 'person', schema: { title } });
    const answer = { purpose: 'answer' as const, sampling: { temperature: 0.5 } };

    it('that is refused keeps the caller’s sampling', async () => {
      const { ask, sent } = setup(refusesSchemas);
      await ask({ ...answer, outputSchema: form('a') });
      expect(shapes(sent)).toEqual([
        [form('a'), { temperature: 0.5 }],
        [undefined, { temperature: 0.5 }],
      ]);
    });

    it('a refusal says nothing of another form under the same name', async () => {
      const { ask, sent } = setup(refusesSchemas);
      for (const title of ['a', 'b', 'a']) await ask({ ...answer, outputSchema: form(title) });
      expect(sent.map(({ outputSchema }) => outputSchema?.schema?.['title'])).toEqual([
        'a',
        undefined,
        'b',
        undefined,
        undefined,
      ]);
    });

    it.each([
      ['one that keeps its models to it: piece by piece', true, refusesNothing, ['fine']],
      ['one that does not: not at all', false, refusesNothing, []],
      ['one that refuses it: not at all', true, refusesSchemas, []],
    ] as const)('text from a provider is passed on by %s', async (_, holds, fault, passed) => {
      const pieces: string[] = [];
      const { ask } = setup(fault, () => holds);
      const onText = (piece: string) => void pieces.push(piece);
      expect(await ask({ ...answer, outputSchema: form('a'), onText })).toMatchObject({ ok: true, text: 'fine' });
      expect(pieces).toEqual(passed);
    });
  });
});
