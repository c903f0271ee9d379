import { fails, hangs, modelOf, playedGateway, says, type Turn } from '../../../test/support/played-gateway';
import { outputBounds, scopeOf } from '../../../test/support/request-scope';
import type { CallListener } from '../model';
import { ModelFault, type ModelFaultKind } from '../model-fault';
import type { Reasoning } from '../reasoning';
import { type CallHearing, type GatewayCall, newMeter } from './gateway-call';
import { RetryBudget } from './retry-budget';
import { RunOutput } from './run-output';

const WITH_TOOLS: GatewayCall['prompt'] = {
  turns: [{ role: 'user', text: 'x' }],
  tools: { tools: [{ name: 'now' }], json: '' },
};
const ANSWER = { purpose: 'answer' } as const;

function spent(): RetryBudget {
  const budget = new RetryBudget();
  while (budget.take());
  return budget;
}

describe('a call', () => {
  const spentScope = { scope: scopeOf('q1', spent()) };
  type Row = [what: string, turns: Turn[], faults: (ModelFaultKind | undefined)[], change?: Partial<GatewayCall>];
  it.each<Row>([
    ['is answered', [says('yes')], [undefined]],
    ...(['overloaded', 'timeout', 'network', 'server', 'protocol'] as const).map(
      (kind): Row => [`is made once more after ${kind}`, [fails(kind), says('yes')], [kind, undefined]],
    ),
    ['without text is made once more', [says('  \n'), says('')], ['empty', 'empty']],
    ['that throws anything is a value', [() => Promise.reject('x'), says('y')], ['protocol', undefined]],
    ...(
      ['unauthorized', 'not_found', 'bad_request', 'context_length', 'content_filter', 'not_configured'] as const
    ).map((kind): Row => [`is not made again after ${kind}`, [fails(kind)], [kind]]),
    ['is not made again after a 429 without a wait', [fails('rate_limited')], ['rate_limited']],
    ['is after one with a wait that fits', [fails('rate_limited', 7), says('y')], ['rate_limited', undefined]],
    ['does not wait longer than its time', [fails('overloaded', 299)], ['overloaded']],
    ['has one time for all', [fails('overloaded', 60), hangs], ['overloaded', 'timeout'], { budgetMs: 100_000 }],
    ['without a retry left is not made again', [fails('server')], ['server'], spentScope],
    ['for the answer always is', [fails('server'), says('y')], ['server', undefined], { ...spentScope, ...ANSWER }],
    ['that nothing is left to pay for is not', [fails('server')], ['server'], { mayAskAgain: () => false }],
    ['of which text was passed on is not', [says('begun', 'network')], ['network'], { onText: () => undefined }],
  ])('%s', async (...[, turns, faults, change]) => {
    const { settle, closed } = playedGateway(turns);
    const result = await settle(change);
    expect(closed).toEqual(faults);
    expect(result.ok ? undefined : result.fault).toBe(faults.at(-1));
  });

  it('waits as long as a 429 asks, to the millisecond', async () => {
    const { clock, ask, sent } = playedGateway([fails('rate_limited', 7), says('yes')]);
    const result = ask();
    await clock.advance(6_999);
    expect(sent).toHaveLength(1);
    await clock.advance(1);
    expect(await result).toMatchObject({ ok: true, text: 'yes' });
  });

  it.each<[knows: string, report: object, cap: object, outputTokens: number | undefined]>([
    ['its provider', { completionTokens: 8_192 }, {}, 8_192],
    ['its caller', {}, { outputTokensMax: 512 }, 512],
    ['nobody', {}, {}, undefined],
  ])(
    'whose output limit thoughts used up is paid for once; %s knows the limit',
    async (_, report, cap, outputTokens) => {
      const thinks: Turn = async (_call, listener) => {
        listener.usage(report);
        return 'length';
      };
      const result = await playedGateway([thinks]).settle({ ...cap, ...ANSWER });
      expect(result).toMatchObject({ ok: false, fault: 'output_limit_used_up' });
      expect('outputTokens' in result ? result.outputTokens : undefined).toBe(outputTokens);
    },
  );

  it('is aborted at once, and not made again', async () => {
    const controller = new AbortController();
    const { ask, sent, clock } = playedGateway([hangs]);
    const result = ask({ signal: controller.signal });
    await clock.advance(0);
    controller.abort();
    expect(await result).toMatchObject({ ok: false, fault: 'aborted' });
    expect(sent).toHaveLength(1);
  });

  it('holds blank text back: it is no reason not to be made again', async () => {
    const passed: string[] = [];
    const { settle } = playedGateway([says(' \n', 'network'), says(' yes')]);
    expect(await settle({ onText: (piece) => void passed.push(piece) })).toMatchObject({ ok: true });
    expect(passed).toEqual([' yes']);
  });

  it('sends settings only to models that take them', async () => {
    const sampling = { temperature: 0.3, topP: 0.9 };
    const { settle, sent } = playedGateway(says('yes'));
    for (const id of ['gpt-4o', 'o3-2025-04-16']) await settle({ sampling, model: modelOf(id) });
    expect(sent.map((call) => call.sampling)).toEqual([sampling, {}]);
  });

  it('does what is heavy in the turns of its request', async () => {
    const sizes: number[] = [];
    const heavy: Turn = async (call, listener) => {
      await listener.text((await call.inTurn?.(7, () => 'done')) ?? '');
      return 'stop';
    };
    const scope: GatewayCall['scope'] = {
      ...scopeOf('q1'),
      inTurn: async (size, work) => {
        sizes.push(size);
        return work();
      },
    };
    expect(await playedGateway([heavy]).settle({ scope })).toMatchObject({ ok: true, text: 'done' });
    expect(sizes).toEqual([7]);
  });
});

describe('a silent model', () => {
  it.each([
    { model: 'gpt-4o', silentMs: 120_000 },
    { model: 'o3', silentMs: 300_000 },
  ])(
    'regression: $model is given up after $silentMs ms, for good: its thoughts are paid for',
    async ({ model, silentMs }) => {
      const { ask, clock, sent } = playedGateway([hangs]);
      const result = ask({ model: modelOf(model), ...ANSWER, budgetMs: 500_000 });
      await clock.advance(silentMs - 1);
      expect(sent[0]?.signal.aborted).toBe(false);
      await clock.advance(1);
      expect(sent[0]?.signal.aborted).toBe(true);
      expect(await clock.settle(result, 10_000)).toMatchObject({ ok: false, fault: 'timeout' });
    },
  );

  it('regression: is silent from its last sign that it thinks, not since it was asked', async () => {
    const { ask, clock, sent, listeners } = playedGateway([hangs]);
    const result = ask({ model: modelOf('o3'), budgetMs: 500_000 });
    await clock.advance(200_000);
    listeners[0]?.alive();
    await clock.advance(299_999);
    expect(sent[0]?.signal.aborted).toBe(false);
    expect(await clock.settle(result, 1)).toMatchObject({ ok: false, fault: 'timeout' });
  });

  it('is given up 90 s after its last sign of life once it has begun to write', async () => {
    const stalls: Turn = async (call, listener) => {
      await listener.text('partial');
      return hangs(call, listener);
    };
    const { ask, clock, sent, listeners } = playedGateway([stalls, fails('bad_request')]);
    const result = ask();
    await clock.advance(60_000);
    listeners[0]?.alive();
    await clock.advance(89_999);
    expect(sent[0]?.signal.aborted).toBe(false);
    expect(await clock.settle(result, 1_000)).toMatchObject({ ok: false, fault: 'bad_request' });
  });

  it('that does not react to an abort is not waited for, and what it says later is ignored', async () => {
    const { settle, listeners, closed } = playedGateway(() => new Promise(() => undefined));
    expect(await settle({ budgetMs: 10_000 })).toMatchObject({ ok: false, fault: 'timeout' });
    expect(listeners[0]?.text('too late')).toBeUndefined();
    expect(closed).toEqual(['timeout']);
  });

  it('is none whose reader, or whose observer, is slow', async () => {
    const { ask, clock, sent } = playedGateway(says('read slowly'));
    const reader = Promise.withResolvers<void>();
    const results = [ask({ onText: () => reader.promise }), ask({ heard: observer(() => reader.promise).hearing })];
    await clock.advance(200_000);
    expect(sent.map(({ signal }) => signal.aborted)).toEqual([false, false]);
    reader.resolve();
    expect(await Promise.all(results)).toMatchObject(Array(2).fill({ ok: true, text: 'read slowly' }));
  });

  it('is none that is read slowly, as others write too much', async () => {
    const { ask, clock } = playedGateway(says('x'.repeat(64 * 1024)));
    const bounds = outputBounds(undefined, clock);
    // Two hundred seconds of output at the pace of a process.
    await bounds.pace.run({ owner: 'bob', size: 200 * 8 * 1024 * 1024 }, () => undefined);
    let isOver = false;
    const result = ask({ scope: { ...scopeOf('q1'), output: new RunOutput(bounds, 'ann') } }).finally(() => {
      isOver = true;
    });
    await clock.advance(199_999);
    expect(isOver).toBe(false);
    await clock.advance(1);
    expect(await result).toMatchObject({ ok: true });
  });
});

describe('what a model says', () => {
  const small = () => ({ ...scopeOf('q1'), output: new RunOutput(outputBounds(200_000), 'ann') });
  const endless =
    (say: (listener: CallListener) => unknown): Turn =>
    async ({ signal }, listener) => {
      await listener.toolCall({ index: 0, begins: { id: 'c1', name: 'now' }, arguments: '' });
      while (!signal.aborted) await say(listener);
      throw new ModelFault('aborted');
    };
  const thinks: Turn = async ({ signal }, listener) => {
    for (let piece = 0; piece < 200 && !signal.aborted; piece += 1) {
      await listener.thought({ reasoning: 'x'.repeat(1_000) });
    }
    await listener.text('Yes.');
    return 'stop';
  };

  it.each([
    ['text', endless((listener) => listener.text('x'.repeat(1_000)))],
    ['a tool call', endless((listener) => listener.toolCall({ index: 0, arguments: 'x'.repeat(1_000) }))],
    ['thoughts that are kept', thinks],
  ])('beyond what can be held is cut off by name, and not asked for again: %s', async (_, turn) => {
    const { settle, closed } = playedGateway([turn]);
    const call = { scope: small(), ...ANSWER, prompt: WITH_TOOLS, tellsReasoning: true };
    expect(await settle(call)).toMatchObject({ fault: 'output_too_long' });
    expect(closed).toEqual(['output_too_long']);
  });

  it('counts without its thoughts where these are not kept', async () => {
    const result = await playedGateway([thinks]).settle({ scope: small(), ...ANSWER });
    expect(result).toEqual({ ok: true, text: 'Yes.', finishReason: 'stop' });
  });

  it.each([[true], [false]])('regression: is counted with its thoughts, told or not: %s', async (tellsReasoning) => {
    const meter = newMeter();
    const thinking: Turn = async (_, listener) => {
      listener.usage({ promptTokens: 9, completionTokens: 1 });
      await listener.thought({ reasoning_content: 'So it is a berry.', reasoning: 'So it is a berry.' });
      throw new ModelFault('network');
    };
    const openAttempt = () => ({ meter, close: () => undefined, cancel: () => undefined });
    const { settle } = playedGateway(thinking);
    await settle({ tellsReasoning, mayAskAgain: () => false, openAttempt });
    // Seventeen characters of English, once.
    expect(meter).toMatchObject({ characters: 0, spoke: false, reportedAt: 0, tokens: expect.closeTo(4, 0) });
  });

  it('waits where who is passed its thoughts is slow, and is asked again after them', async () => {
    const details = [{ type: 'reasoning.encrypted', data: 'x' }];
    const thought: Turn = async (_, listener) => {
      await listener.thought({ reasoning: 'Hm.', reasoning_details: details });
      throw new ModelFault('network');
    };
    const order: string[] = [];
    const again: Turn = async (_, listener) => {
      await listener.thought({ reasoning: 'So.' });
      order.push('read on');
      await listener.text('Yes.');
      return 'stop';
    };
    const onReasoning = async ({ reasoning = '' }: Reasoning): Promise<void> => {
      await new Promise(setImmediate);
      order.push(reasoning);
    };
    const { settle } = playedGateway([thought, again]);
    const result = await settle({ ...ANSWER, tellsReasoning: true, onText: () => undefined, onReasoning });
    expect(result).toEqual({ ok: true, text: 'Yes.', finishReason: 'stop' });
    expect(order).toEqual(['Hm.', 'So.', 'read on']);
  });

  it('may be a tool call alone; once it was passed on, it is not asked for again', async () => {
    const calling: Turn = async (_, listener) => {
      await listener.toolCall({ index: 0, begins: { id: 'c1', name: 'now' }, arguments: '{' });
      await listener.toolCall({ index: 0, arguments: '}' });
      return 'stop';
    };
    const broken: Turn = async (call, listener) => {
      await calling(call, listener);
      throw new ModelFault('network');
    };
    const toolCalls = [{ id: 'c1', name: 'now', arguments: '{}' }];
    const whole = await playedGateway([calling]).settle({ prompt: WITH_TOOLS });
    expect(whole).toEqual({ ok: true, text: '', finishReason: 'stop', toolCalls });
    const onToolCall = jest.fn();
    const live = await playedGateway([broken]).settle({ prompt: WITH_TOOLS, ...ANSWER, onToolCall });
    expect(live).toMatchObject({ ok: false, fault: 'network', streamed: true });
    expect(onToolCall).toHaveBeenCalledTimes(2);
    expect(await playedGateway(calling).settle()).toMatchObject({ ok: false, fault: 'empty' });
  });
});

/** An observer that writes down what it hears. */
function observer(wait: () => Promise<void> | undefined = () => undefined) {
  const heard: string[] = [];
  const hearing: CallHearing = {
    started: (attempt) => void heard.push(`started ${attempt}`),
    text: (piece) => {
      heard.push(`text ${piece}`);
      return wait();
    },
    ended: (result) => void heard.push(`ended ${result.ok ? result.text : result.fault}`),
    again: () => void heard.push('again'),
  };
  return { heard, hearing };
}

describe('an observer', () => {
  it('hears each piece and how attempts end, and does not keep the call from being made again', async () => {
    const { heard, hearing } = observer();
    const turns = [says('begun ', 'network'), says([' ', 'whole'])];
    expect(await playedGateway(turns).settle({ heard: hearing })).toMatchObject({ ok: true, text: ' whole' });
    expect(heard).toEqual([
      ...['started 1', 'text begun ', 'ended network', 'again'],
      ...['started 2', 'text  ', 'text whole', 'ended  whole'],
    ]);
  });

  it('hears nothing of an attempt that is not made', async () => {
    const left = new AbortController();
    const { heard, hearing } = observer();
    const cancel = jest.fn();
    const openAttempt = () => {
      left.abort();
      return { meter: { characters: 0, tokens: 0, spoke: false, usage: undefined }, close: cancel, cancel };
    };
    const { settle } = playedGateway([]);
    expect(await settle({ heard: hearing, signal: left.signal, openAttempt })).toMatchObject({ fault: 'aborted' });
    expect([heard, cancel.mock.calls]).toEqual([[], [[]]]);
  });
});

describe('slots of a provider', () => {
  it('of its own number are given to so many calls at once, whoever makes them; the others say that they wait', async () => {
    const { clock, ask, attempts } = playedGateway(hangs, { callsAt: () => 2 });
    const waits: boolean[] = [];
    const all = Array.from({ length: 3 }, () => ask({ onWait: (isWaiting) => waits.push(isWaiting) }));
    await clock.advance(1_000);
    expect([attempts.length, waits]).toEqual([2, [true]]);
    await clock.settle(Promise.all(all), 300_000);
    expect(waits).toEqual([true, false]);
  });

  it('regression: are left for others, however many and long a user’s calls are', async () => {
    const { clock, ask, attempts } = playedGateway(hangs);
    for (let call = 0; call < 600; call += 1) void ask({ scope: scopeOf('q1', undefined, 'hoarder') });
    await clock.advance(1_000);
    const held = attempts.length;
    void ask({ scope: scopeOf('q2') });
    await clock.advance(1_000);
    expect({ held, late: attempts.length - held }).toEqual({ held: 512, late: 1 });
  });

  it('that are not free in a call’s time leave it unmade', async () => {
    const { ask, settle, attempts } = playedGateway(hangs, { callsAt: () => 1 });
    void ask();
    const late = await settle({ budgetMs: 10_000 });
    expect(late).toEqual({ ok: false, fault: 'overloaded', cause: undefined, streamed: false });
    expect(attempts).toHaveLength(1);
  });
});

describe('a model that is down', () => {
  it('is spared, and the operator learns it once', async () => {
    const unavailable: string[] = [];
    const { settle, sent } = playedGateway(fails('server'), { onUnavailable: ({ id }) => unavailable.push(id) });
    const faults: string[] = [];
    for (let call = 0; call < 15; call += 1) {
      const result = await settle({ scope: scopeOf(`q${call}`, spent()) });
      if (!result.ok) faults.push(result.fault);
    }
    expect(faults).toEqual([...Array(10).fill('server'), ...Array(5).fill('unavailable')]);
    expect([sent.length, unavailable]).toEqual([10, ['gpt-4o']]);
  });

  it('is not asked again by the call that finds it still down, which takes no retry', async () => {
    const { clock, settle, sent } = playedGateway(fails('server'));
    for (let call = 0; call < 10; call += 1) await settle({ scope: scopeOf(`q${call}`, spent(), `u${call % 3}`) });
    await clock.advance(15_000);
    const retries = new RetryBudget();
    expect(await settle({ ...ANSWER, scope: scopeOf('q10', retries, 'u1') })).toMatchObject({ fault: 'server' });
    expect([sent.length, retries.take(), retries.take()]).toEqual([11, true, true]);
  });

  it('regression: is none for which a caller’s own time was too short', async () => {
    const { clock, ask, settle } = playedGateway(async (_, listener) => {
      await new Promise<void>((resolve) => clock.after(20_000, resolve));
      await listener.text('yes');
      return 'stop';
    });
    const impatient = Array.from({ length: 12 }, () => ask({ budgetMs: 10_000 }));
    expect(await clock.settle(Promise.all(impatient), 10_000)).toMatchObject(Array(12).fill({ fault: 'timeout' }));
    expect(await settle()).toMatchObject({ ok: true });
  });
});

describe('a provider that takes few calls at a time', () => {
  /** It takes `places` calls and refuses the others, for calls of one request that take so long. */
  function busy(places: number, callMs: number, fault: ModelFaultKind = 'rate_limited') {
    let open = 0;
    const played = playedGateway(async (_, listener) => {
      if (open >= places) throw new ModelFault(fault);
      open += 1;
      await new Promise<void>((resolve) => played.clock.after(callMs, resolve));
      await listener.text('yes');
      open -= 1;
      return 'stop';
    });
    const scope = scopeOf('q1');
    const all = (...changes: Partial<GatewayCall>[]) =>
      played.clock.settle(
        Promise.all(changes.map((change) => played.ask({ scope, budgetMs: 200_000, ...change }))),
        200_000,
      );
    return { ...played, all };
  }

  it.each([
    { fault: 'rate_limited', callMs: 400, calls: 3 },
    { fault: 'rate_limited', callMs: 20_000, calls: 5 },
    { fault: 'overloaded', callMs: 20_000, calls: 5 },
  ] as const)(
    'gets $calls calls of $callMs ms one after another where it says $fault',
    async ({ fault, callMs, calls }) => {
      const { all, sent } = busy(1, callMs, fault);
      expect((await all(...Array(calls).fill({}))).map(({ ok }) => ok)).toEqual(Array(calls).fill(true));
      expect(sent.length).toBeLessThan(10 * calls);
    },
  );

  it.each<[string, number, number, Partial<GatewayCall>]>([
    ['nobody is served any more', 0, 400, {}],
    ['their time is up', 1, 60_000, { budgetMs: 30_000 }],
    ['nothing is left to pay for that', 1, 400, { mayAskAgain: () => false }],
  ])('does not get them where %s', async (_, places, callMs, change) => {
    const results = await busy(places, callMs).all({}, change);
    expect(results).toMatchObject([{ ok: places > 0 }, { ok: false, fault: 'rate_limited' }]);
  });

  it('is waited for, as its calls say', async () => {
    const waits: boolean[] = [];
    await busy(1, 400).all({}, { onWait: (isWaiting) => waits.push(isWaiting) });
    expect(waits).toEqual([true, false]);
  });
});
