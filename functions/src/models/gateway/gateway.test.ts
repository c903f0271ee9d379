import { fakeClock } from '../../../test/support/fake-clock';
import { outputBounds, scopeOf } from '../../../test/support/request-scope';
import { createCatalog } from '../catalog';
import { type CallListener, type FinishReason, ModelFault, type ModelFaultKind, type ProviderCall } from '../model';
import { createGateway, type GatewayOptions } from './gateway';
import { type CallResult, type FailedCall, type GatewayCall, newMeter, type RequestScope } from './gateway-call';
import { RetryBudget } from './retry-budget';
import { RunOutput } from './run-output';

type Turn = (call: ProviderCall, listener: CallListener) => Promise<FinishReason>;

const { modelOf } = createCatalog();
const MODEL = modelOf('gpt-4o');
const says =
  (text: string): Turn =>
  async (_, listener) => {
    await listener.text(text);
    return 'stop';
  };
const fails =
  (kind: ModelFaultKind, retryAfterSeconds?: number): Turn =>
  async () => {
    throw new ModelFault(kind, { retryAfterSeconds });
  };
/** Ends only when it is aborted. */
const hangs: Turn = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new ModelFault('aborted')), { once: true }));

/** Runs one call whose attempts are played by `turns`; what happened is recorded. */
function setup(turns: readonly Turn[], change: Partial<GatewayCall> = {}) {
  const clock = fakeClock();
  const closed: (ModelFaultKind | undefined)[] = [];
  const calls: ProviderCall[] = [];
  const listeners: CallListener[] = [];
  const gateway = createGateway({
    clock,
    provider: () => ({
      run: (call, listener) => {
        calls.push(call);
        listeners.push(listener);
        const turn = turns[calls.length - 1];
        if (!turn) throw new Error('one attempt too many');
        return turn(call, listener);
      },
    }),
  });
  const result = gateway.call({
    scope: scopeOf('q1'),
    model: MODEL,
    prompt: { turns: [{ role: 'user', text: 'x' }] },
    purpose: 'draft',
    signal: new AbortController().signal,
    budgetMs: 300_000,
    openAttempt: () => ({
      meter: newMeter(),
      close: (fault) => closed.push(fault),
      cancel: () => undefined,
    }),
    ...change,
  });
  return { clock, closed, calls, listeners, result };
}

async function advanceUntilDone(
  clock: ReturnType<typeof fakeClock>,
  result: Promise<CallResult>,
  byMs: number,
): Promise<CallResult> {
  await clock.advance(byMs);
  return result;
}

describe('the gateway', () => {
  it('returns the text and closes the attempt', async () => {
    const { result, closed } = setup([says('yes')]);
    expect(await result).toEqual({ ok: true, text: 'yes', finishReason: 'stop' });
    expect(closed).toEqual([undefined]);
  });

  it.each(['overloaded', 'timeout', 'network', 'server', 'protocol'] as const)(
    'retries %s once, after a pause',
    async (kind) => {
      const { result, clock, calls, closed } = setup([fails(kind), says('yes')]);
      expect(await advanceUntilDone(clock, result, 250)).toMatchObject({ ok: true, text: 'yes' });
      expect(calls).toHaveLength(2);
      expect(closed).toEqual([kind, undefined]);
    },
  );

  it('retries an answer without text, and calls it empty the second time', async () => {
    const { result, clock } = setup([says('  \n'), says('')]);
    expect(await advanceUntilDone(clock, result, 250)).toMatchObject({ ok: false, fault: 'empty' });
  });

  it.each(['unauthorized', 'not_found', 'bad_request', 'context_length', 'content_filter', 'not_configured'] as const)(
    'does not retry %s',
    async (kind) => {
      const { result, calls } = setup([fails(kind)]);
      expect(await result).toMatchObject({ ok: false, fault: kind });
      expect(calls).toHaveLength(1);
    },
  );

  it('does not retry a 429 that does not say how long to wait: it may be a spending cap', async () => {
    const { result, calls } = setup([fails('rate_limited')]);
    expect(await result).toMatchObject({ ok: false, fault: 'rate_limited' });
    expect(calls).toHaveLength(1);
  });

  it.each([
    { known: 'its provider', report: { completionTokens: 8_192 }, cap: {}, outputTokens: 8_192 },
    { known: 'its caller', report: {}, cap: { outputTokensMax: 512 }, outputTokens: 512 },
    { known: 'nobody', report: {}, cap: {}, outputTokens: undefined },
  ])(
    'an output limit used up by thoughts is paid for once, and named as far as $known knows it',
    async ({ report, cap, outputTokens }) => {
      const thinks: Turn = async (_, listener) => {
        listener.usage(report);
        return 'length';
      };
      const { result, calls } = setup([thinks], { ...cap, purpose: 'answer' });
      const { ok, ...failed } = (await result) as FailedCall;
      expect([ok, failed.fault, failed.outputTokens]).toEqual([false, 'output_limit_used_up', outputTokens]);
      expect(calls).toHaveLength(1);
    },
  );

  it('waits as long as a 429 asks, to the millisecond', async () => {
    const { result, clock, calls } = setup([fails('rate_limited', 7), says('yes')]);
    await clock.advance(6_999);
    expect(calls).toHaveLength(1);
    expect(await advanceUntilDone(clock, result, 1)).toMatchObject({ ok: true });
  });

  it('does not wait longer than the budget', async () => {
    const { result, calls } = setup([fails('overloaded', 299)], {});
    expect(await result).toMatchObject({ ok: false, fault: 'overloaded' });
    expect(calls).toHaveLength(1);
  });

  it.each([
    { model: 'gpt-4o', silentMs: 120_000 },
    { model: 'o3', silentMs: 300_000 },
  ])(
    'regression: gives $model up after $silentMs ms of silence, and does not ask again: its thoughts are paid for',
    async ({ model, silentMs }) => {
      const { result, clock, calls } = setup([hangs], { model: modelOf(model), purpose: 'answer', budgetMs: 500_000 });
      await clock.advance(silentMs - 1);
      expect(calls[0]?.signal.aborted).toBe(false);
      await clock.advance(1);
      expect(calls[0]?.signal.aborted).toBe(true);
      expect(await advanceUntilDone(clock, result, 10_000)).toMatchObject({ ok: false, fault: 'timeout' });
      expect(calls).toHaveLength(1);
    },
  );

  it('regression: a model that shows it thinks is silent from then on, not since it was asked', async () => {
    const { result, clock, calls, listeners } = setup([hangs], { model: modelOf('o3'), budgetMs: 500_000 });
    await clock.advance(200_000);
    listeners[0]?.alive();
    await clock.advance(299_999);
    expect(calls[0]?.signal.aborted).toBe(false);
    expect(await advanceUntilDone(clock, result, 1)).toMatchObject({ ok: false, fault: 'timeout' });
  });

  it('aborts a call 90 s after its last sign of life', async () => {
    const { result, clock, calls, listeners } = setup([
      async (call, listener) => {
        await listener.text('partial');
        return hangs(call, listener);
      },
      fails('bad_request'),
    ]);
    await clock.advance(60_000);
    listeners[0]?.alive();
    await clock.advance(89_999);
    expect(calls[0]?.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(calls[0]?.signal.aborted).toBe(true);
    expect(await advanceUntilDone(clock, result, 250)).toMatchObject({ ok: false, fault: 'bad_request' });
  });

  it('holds both attempts to one budget', async () => {
    const { result, clock, closed } = setup([fails('overloaded', 60), hangs], { budgetMs: 100_000 });
    expect(await advanceUntilDone(clock, result, 100_000)).toMatchObject({ ok: false, fault: 'timeout' });
    expect(closed).toEqual(['overloaded', 'timeout']);
  });

  it('passes an abort on at once and does not retry', async () => {
    const controller = new AbortController();
    const { result, calls } = setup([hangs], { signal: controller.signal });
    await Promise.resolve();
    controller.abort();
    expect(await result).toMatchObject({ ok: false, fault: 'aborted' });
    expect(calls).toHaveLength(1);
  });

  it('does not retry once text has been streamed, but does after blank text, which it holds back', async () => {
    const streamed: string[] = [];
    const onText = (delta: string): undefined => {
      streamed.push(delta);
    };
    const broken =
      (text: string): Turn =>
      async (_, listener) => {
        await listener.text(text);
        throw new ModelFault('network');
      };
    const first = setup([broken(' \n'), says(' yes')], { onText });
    expect(await advanceUntilDone(first.clock, first.result, 250)).toMatchObject({ ok: true });
    expect(streamed).toEqual([' yes']);
    const second = setup([broken('begun')], { onText });
    expect(await second.result).toMatchObject({ ok: false, fault: 'network', streamed: true });
  });

  it('says how much to think only to models that can be told', async () => {
    const told = setup([says('yes')], { reasoningEffort: 'low', model: modelOf('o3-2025-04-16') });
    await told.result;
    const plain = setup([says('yes')], { reasoningEffort: 'low' });
    await plain.result;
    expect([told.calls[0]?.reasoningEffort, plain.calls[0]?.reasoningEffort]).toEqual(['low', undefined]);
  });

  it('sends sampling only to models that take it', async () => {
    const sampling = { temperature: 0.3, topP: 0.9 };
    const plain = setup([says('yes')], { sampling });
    await plain.result;
    const reasoning = setup([says('yes')], { sampling, model: modelOf('o3-2025-04-16') });
    await reasoning.result;
    expect([plain.calls[0]?.sampling, reasoning.calls[0]?.sampling]).toEqual([sampling, {}]);
  });

  it('ends the wait for a provider that does not react to an abort, and ignores what it says later', async () => {
    const deaf: Turn = () => new Promise(() => undefined);
    const { result, clock, listeners, closed } = setup([deaf, deaf], { budgetMs: 10_000 });
    expect(await advanceUntilDone(clock, result, 10_000)).toMatchObject({ ok: false, fault: 'timeout' });
    expect(listeners[0]?.text('too late')).toBeUndefined();
    expect(closed).toEqual(['timeout']);
  });

  it('does not take a slow reader for a silent model', async () => {
    const reader = Promise.withResolvers<void>();
    const { result, clock, calls } = setup([says('read slowly')], { onText: () => reader.promise });
    await clock.advance(200_000);
    expect(calls[0]?.signal.aborted).toBe(false);
    reader.resolve();
    expect(await result).toMatchObject({ ok: true, text: 'read slowly' });
  });

  it('turns anything a provider throws into a value', async () => {
    const { result, clock } = setup([() => Promise.reject(new TypeError('bug')), () => Promise.reject('text')]);
    expect(await advanceUntilDone(clock, result, 250)).toMatchObject({ ok: false, fault: 'protocol' });
  });
});

describe('the gateway under load and faults', () => {
  it('calls at one provider beyond its limit wait for their turn', async () => {
    const clock = fakeClock();
    const running: (() => void)[] = [];
    const gateway = createGateway({
      clock,
      callsPerProvider: 2,
      provider: () => ({
        run: async (_, listener) => {
          await new Promise<void>((resolve) => running.push(resolve));
          await listener.text('yes');
          return 'stop';
        },
      }),
    });
    const results = ['a', 'a', 'a', 'b'].map((requestId) => gateway.call({ ...callOf(), scope: scopeOf(requestId) }));
    await clock.advance(1_000);
    expect(running).toHaveLength(2);
    for (let ended = 0; ended < 4; ended += 1) {
      running[ended]?.();
      await clock.advance(1);
    }
    expect((await Promise.all(results)).every(({ ok }) => ok)).toBe(true);
  });

  it('a provider with a number of its own gets so many calls at once, whoever makes them', async () => {
    const { clock, gateway, opened } = hangingGateway({ callsAt: () => 2 });
    const waits: boolean[] = [];
    const ask = () => gateway.call({ ...callOf(), openAttempt: opened, onWait: (isWaiting) => waits.push(isWaiting) });
    const all = [ask(), ask(), ask()];
    await clock.advance(1_000);
    expect([opened.mock.calls.length, waits]).toEqual([2, [true]]);
    await clock.advance(300_000);
    expect([(await Promise.all(all)).length, waits]).toEqual([3, [true, false]]);
  });

  it('regression: a user with many requests takes turns with one who has a single call', async () => {
    const clock = fakeClock();
    const begun: string[] = [];
    const gateway = createGateway({
      clock,
      callsPerProvider: 2,
      provider: () => ({
        run: async ({ prompt }, listener) => {
          begun.push(prompt.turns[0]?.text ?? '');
          await new Promise<void>((resolve) => clock.after(1_000, resolve));
          await listener.text('yes');
          return 'stop';
        },
      }),
    });
    const ask = (userId: string, requestId: string) =>
      gateway.call({
        ...callOf(),
        prompt: { turns: [{ role: 'user', text: userId }] },
        scope: scopeOf(requestId, undefined, userId),
      });
    const all = [...Array.from({ length: 12 }, (_, index) => ask('many', `q${index}`)), ask('single', 'q99')];
    await clock.advance(15_000);
    await Promise.all(all);
    expect(begun.indexOf('single')).toBeLessThanOrEqual(2);
  });

  it('regression: a user’s calls, however many and long, leave slots for others', async () => {
    const { clock, gateway, opened } = hangingGateway({ callsPerProvider: 8 });
    const ask = (userId: string) =>
      gateway.call({ ...callOf(), scope: scopeOf(userId, undefined, userId), openAttempt: opened });
    for (let call = 0; call < 40; call += 1) void ask('hoarder');
    await clock.advance(1_000);
    const held = opened.mock.calls.length;
    void ask('late');
    await clock.advance(1_000);
    expect({ held, late: opened.mock.calls.length - held }).toEqual({ held: 4, late: 1 });
  });

  it('a call whose turn does not come in its time is not made', async () => {
    const { clock, gateway, opened } = hangingGateway({ callsPerProvider: 1 });
    void gateway.call({ ...callOf(), budgetMs: 300_000 });
    const late = gateway.call({ ...callOf(), budgetMs: 10_000, openAttempt: opened });
    await clock.advance(10_000);
    expect(await late).toEqual({ ok: false, fault: 'overloaded', cause: undefined, streamed: false });
    expect(opened).not.toHaveBeenCalled();
  });

  it('a model whose calls keep failing is spared, and the operator told once', async () => {
    const clock = fakeClock();
    const told: string[] = [];
    let calls = 0;
    const gateway = createGateway({
      clock,
      onUnavailable: ({ id }) => told.push(id),
      provider: () => ({
        run: async () => {
          calls += 1;
          throw new ModelFault('server');
        },
      }),
    });
    const faults: string[] = [];
    for (let call = 0; call < 15; call += 1) {
      const result = await gateway.call({ ...callOf(), scope: scopeOf(`q${call}`, spent()) });
      if (!result.ok) faults.push(result.fault);
    }
    expect(faults).toEqual([...Array(10).fill('server'), ...Array(5).fill('unavailable')]);
    expect({ calls, told }).toEqual({ calls: 10, told: ['gpt-4o'] });
  });

  it('a call that finds a model still down is not made again, and takes none of its request’s retries', async () => {
    const clock = fakeClock();
    let calls = 0;
    const gateway = createGateway({
      clock,
      provider: () => ({
        run: async () => {
          calls += 1;
          throw new ModelFault('server');
        },
      }),
    });
    const scope = (call: number, retries: RetryBudget) => scopeOf(`q${call}`, retries, `u${call % 3}`);
    for (let call = 0; call < 10; call += 1) await gateway.call({ ...callOf(), scope: scope(call, spent()) });
    await clock.advance(15_000);
    const retries = new RetryBudget();
    const probe = await gateway.call({ ...callOf(), purpose: 'answer', scope: scope(10, retries) });
    expect({ probe, calls }).toMatchObject({ probe: { ok: false, fault: 'server' }, calls: 11 });
    expect([retries.take(), retries.take()]).toEqual([true, true]);
  });

  it('regression: a caller’s own short time tells nothing of the model, which stays open to everybody', async () => {
    const clock = fakeClock();
    const told: string[] = [];
    const gateway = createGateway({
      clock,
      onUnavailable: ({ id }) => told.push(id),
      provider: () => ({
        run: async (_, listener) => {
          await new Promise<void>((resolve) => clock.after(20_000, resolve));
          await listener.text('yes');
          return 'stop';
        },
      }),
    });
    const impatient = Array.from({ length: 12 }, () => gateway.call({ ...callOf(), budgetMs: 10_000 }));
    await clock.advance(10_000);
    expect((await Promise.all(impatient)).every((result) => !result.ok && result.fault === 'timeout')).toBe(true);
    const patient = gateway.call(callOf());
    await clock.advance(20_000);
    expect(await patient).toMatchObject({ ok: true });
    expect(told).toEqual([]);
  });

  it('a model that says more than can be held is cut off by name, and not asked again', async () => {
    const endless: Turn = async ({ signal }, listener) => {
      while (!signal.aborted) await listener.text('x'.repeat(1_000));
      throw new ModelFault('aborted');
    };
    const output = new RunOutput(outputBounds(200_000), 'ann');
    const { result, calls, closed } = setup([endless], { scope: { ...scopeOf('q1'), output }, purpose: 'answer' });
    expect(await result).toMatchObject({ ok: false, fault: 'output_too_long' });
    expect({ calls: calls.length, closed }).toEqual({ calls: 1, closed: ['output_too_long'] });
  });

  it('a model whose tool call never ends is cut off by name, and not asked again', async () => {
    const endless: Turn = async ({ signal }, listener) => {
      await listener.toolCall({ index: 0, begins: { id: 'c1', name: 'now' }, arguments: '' });
      while (!signal.aborted) await listener.toolCall({ index: 0, arguments: 'x'.repeat(1_000) });
      throw new ModelFault('aborted');
    };
    const output = new RunOutput(outputBounds(200_000), 'ann');
    const scope = { ...scopeOf('q1'), output };
    const { result, calls, closed } = setup([endless], { scope, purpose: 'answer', prompt: WITH_TOOLS });
    expect(await result).toMatchObject({ ok: false, fault: 'output_too_long' });
    expect({ calls: calls.length, closed }).toEqual({ calls: 1, closed: ['output_too_long'] });
  });

  it('what a model thinks counts as what it says where it is kept, and only there', async () => {
    const thinking: Turn = async ({ signal }, listener) => {
      for (let piece = 0; piece < 200 && !signal.aborted; piece += 1) {
        listener.alive('thinks', { reasoning: 'x'.repeat(1_000) });
      }
      await listener.text('Yes.');
      return 'stop';
    };
    const scope = () => ({ ...scopeOf('q1'), output: new RunOutput(outputBounds(200_000), 'ann') });
    const kept = setup([thinking], { scope: scope(), purpose: 'answer', prompt: WITH_TOOLS });
    expect(await kept.result).toMatchObject({ ok: false, fault: 'output_too_long' });
    const unheard = setup([thinking], { scope: scope(), purpose: 'answer' });
    expect(await unheard.result).toEqual({ ok: true, text: 'Yes.', finishReason: 'stop' });
  });

  it('a tool call alone is a reply; its pieces are passed on, and then it is not asked again', async () => {
    const calling: Turn = async (_, listener) => {
      await listener.toolCall({ index: 0, begins: { id: 'c1', name: 'now' }, arguments: '{' });
      await listener.toolCall({ index: 0, arguments: '}' });
      return 'stop';
    };
    const whole = setup([calling], { prompt: WITH_TOOLS });
    const toolCalls = [{ id: 'c1', name: 'now', arguments: '{}' }];
    expect(await whole.result).toEqual({ ok: true, text: '', finishReason: 'stop', toolCalls });
    const broken: Turn = async (call, listener) => {
      await calling(call, listener);
      throw new ModelFault('network');
    };
    const onToolCall = jest.fn();
    const live = setup([broken, calling], { prompt: WITH_TOOLS, purpose: 'answer', onToolCall });
    expect(await live.result).toMatchObject({ ok: false, fault: 'network', streamed: true });
    expect({ passed: onToolCall.mock.calls.length, calls: live.calls.length }).toEqual({ passed: 2, calls: 1 });
  });

  it('a tool call of a model that was offered none is no reply', async () => {
    const calling: Turn = async (_, listener) => {
      await listener.toolCall({ index: 0, begins: { id: 'c1', name: 'now' }, arguments: '{}' });
      return 'stop';
    };
    const { clock, result } = setup([calling, calling], { purpose: 'draft' });
    expect(await advanceUntilDone(clock, result, 250)).toMatchObject({ ok: false, fault: 'empty' });
  });

  it('a model that is read slowly, as others write too much, is not silent', async () => {
    const clock = fakeClock();
    const bounds = outputBounds(undefined, clock);
    // Two hundred seconds of output at the pace of a process.
    await bounds.pace.run({ owner: 'bob', size: 200 * 8 * 1024 * 1024 }, () => undefined);
    const long: Turn = async (_, listener) => {
      await listener.text('x'.repeat(64 * 1024));
      return 'stop';
    };
    const gateway = createGateway({ clock, provider: () => ({ run: long }) });
    const scope = { ...scopeOf('q1'), output: new RunOutput(bounds, 'ann') };
    let isOver = false;
    const result = gateway.call({ ...callOf(), scope }).finally(() => {
      isOver = true;
    });
    await clock.advance(199_999);
    expect(isOver).toBe(false);
    await clock.advance(1);
    expect(await result).toMatchObject({ ok: true });
  });

  it('what is heavy about a call is done in the turns of its request', async () => {
    const sizes: number[] = [];
    const inTurn: RequestScope['inTurn'] = async (size, work) => {
      sizes.push(size);
      return work();
    };
    const heavy: Turn = async (call, listener) => {
      await listener.text((await call.inTurn?.(7, () => 'done')) ?? '');
      return 'stop';
    };
    const { result } = setup([heavy], { scope: { ...scopeOf('q1'), inTurn } });
    expect(await result).toMatchObject({ ok: true, text: 'done' });
    expect(sizes).toEqual([7]);
  });

  it('without a retry left only the answer is tried again', async () => {
    const draft = setup([fails('server')], { scope: scopeOf('q1', spent()) });
    expect(await draft.result).toMatchObject({ ok: false, fault: 'server' });
    const answer = setup([fails('server'), says('yes')], { scope: scopeOf('q1', spent()), purpose: 'answer' });
    expect(await advanceUntilDone(answer.clock, answer.result, 250)).toMatchObject({ ok: true, text: 'yes' });
  });
});

const WITH_TOOLS: GatewayCall['prompt'] = {
  turns: [{ role: 'user', text: 'x' }],
  tools: { tools: [{ name: 'now' }], json: '' },
};

function callOf(): GatewayCall {
  return {
    scope: scopeOf('q1'),
    model: MODEL,
    prompt: { turns: [{ role: 'user', text: 'x' }] },
    purpose: 'draft',
    signal: new AbortController().signal,
    budgetMs: 300_000,
    openAttempt: () => ({ meter: newMeter(), close: () => undefined, cancel: () => undefined }),
  };
}

function hangingGateway(options: Pick<GatewayOptions, 'callsPerProvider' | 'callsAt'>) {
  const clock = fakeClock();
  const gateway = createGateway({ clock, ...options, provider: () => ({ run: hangs }) });
  return { clock, gateway, opened: jest.fn(callOf().openAttempt) };
}

function spent(): RetryBudget {
  const budget = new RetryBudget();
  while (budget.take());
  return budget;
}
