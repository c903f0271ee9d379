import { fakeClock } from '../../test/support/fake-clock';
import { scopeOf } from '../../test/support/request-scope';
import { createCatalog, type ModelRow } from '../models/catalog';
import {
  type AttemptEntry,
  type CallResult,
  failedCall,
  type GatewayCall,
  type ModelGateway,
  newMeter,
} from '../models/gateway/gateway-call';
import type { ModelFaultKind } from '../models/model';
import { grantedGateway, type RunLease } from './granted-gateway';

const PLATFORM = createCatalog().modelOf('demo-ada');
const ROUTER: ModelRow = { ...PLATFORM, id: 'o/m', provider: 'router' };
/** 400 characters and the wrapping: 104 tokens, and 704 with an ordinary reply. */
const PROMPT = { turns: [{ role: 'user' as const, text: 'x'.repeat(400) }] };

interface Step {
  readonly model: ModelRow;
  readonly outputTokensMax: number | undefined;
  write(characters: number): void;
  fail(fault: ModelFaultKind): void;
  answer(usage: { promptTokens: number; completionTokens: number } | string): void;
}

/** A gateway whose calls begin at once and end when the test says so. */
function scene(tokens: number, extend: RunLease['extend'] = () => Promise.resolve(false), tokensMax = 300_000) {
  const departure = { clock: fakeClock(), clientGone: NEVER, stopping: NEVER };
  const steps: Step[] = [];
  const asked: number[] = [];
  const inner: ModelGateway = {
    call: async (call) => {
      const book = await call.openAttempt(1);
      const { promise, resolve } = Promise.withResolvers<CallResult>();
      call.signal.addEventListener('abort', () => resolve(failedCall('aborted')));
      steps.push({
        model: call.model,
        outputTokensMax: call.outputTokensMax,
        write: (characters) => {
          book.meter.characters += characters;
          call.onProgress?.();
        },
        fail: (fault) => resolve({ ok: false, fault, cause: undefined, streamed: false }),
        answer: (usage) => {
          if (typeof usage === 'string') book.meter.characters = usage.length;
          else book.meter.usage = usage;
          resolve({ ok: true, text: 'fine', finishReason: 'stop' });
        },
      });
      return promise;
    },
  };
  const lease: RunLease = {
    tokens,
    tokensMax: () => tokensMax,
    extend: (more) => {
      asked.push(more);
      return extend(more);
    },
  };
  const gateway = grantedGateway(inner, lease, departure);
  const call = (model = PLATFORM) => gateway.call(callTo(model));
  return { steps, asked, call };
}

function callTo(model: ModelRow): GatewayCall {
  const book: AttemptEntry = { meter: newMeter(), close: () => {}, cancel: () => {} };
  const signal = new AbortController().signal;
  return {
    scope: scopeOf('q1'),
    model,
    prompt: PROMPT,
    purpose: 'draft',
    signal,
    budgetMs: 1_000,
    openAttempt: () => ({ ...book, meter: { ...book.meter } }),
  };
}

const NEVER = new AbortController().signal;
const settled = () => new Promise((resolve) => setImmediate(resolve));
const USED_UP = { ok: false, fault: 'token_grant_used_up', cause: undefined, streamed: false };

describe('a granted gateway', () => {
  it('lets calls begin while they and their replies fit the lease', async () => {
    const { steps, asked, call } = scene(2 * 704);
    void call();
    void call();
    await settled();
    expect([steps.length, asked]).toEqual([2, []]);
  });

  it('asks for more when one more does not fit, for all that is under way, and fails it when there is no more', async () => {
    const { steps, asked, call } = scene(704);
    void call();
    expect(await call()).toEqual(USED_UP);
    expect([steps.length, asked]).toEqual([1, [1_408]]);
  });

  it('goes on with what it was given more, and asks once for several that come at the same time', async () => {
    const { steps, asked, call } = scene(704, () => Promise.resolve(true));
    for (let count = 0; count < 4; count += 1) void call();
    await settled();
    expect([steps.length, asked]).toEqual([4, [4 * 704]]);
  });

  it('counts a finished call for what it took, reported or else by its text', async () => {
    const { steps, asked, call } = scene(1_000);
    const first = call();
    await settled();
    steps[0]?.answer({ promptTokens: 90, completionTokens: 10 });
    await first;
    const second = call();
    await settled();
    steps[1]?.answer('y'.repeat(40));
    await second;
    // 100 and 104 + 10 are gone: 704 more fit, 705 would not.
    void call();
    await settled();
    expect([steps.length, asked]).toEqual([3, []]);
    expect(await call()).toEqual(USED_UP);
    expect(asked).toEqual([100 + 114 + 2 * 704]);
  });

  it('asks for more before the next call when one took far more than was thought', async () => {
    const { steps, asked, call } = scene(3_000);
    const first = call();
    await settled();
    steps[0]?.answer({ promptTokens: 5_000, completionTokens: 20_000 });
    await first;
    expect(await call()).toEqual(USED_UP);
    expect(asked).toEqual([25_704]);
  });

  it('does not hold a call that was refused against the next, but one that was cut off', async () => {
    const { steps, asked, call } = scene(704);
    for (const fault of ['overloaded', 'unauthorized', 'timeout'] as const) {
      const ended = call();
      await settled();
      steps.at(-1)?.fail(fault);
      await ended;
    }
    expect([steps.length, asked]).toEqual([3, []]);
    expect(await call()).toEqual(USED_UP);
    expect(asked).toEqual([104 + 704]);
  });

  it('stops a call under way once it has come to more than the grant holds', async () => {
    const { steps, asked, call } = scene(704);
    const ended = call();
    await settled();
    // 104 + 600 tokens were leased for it.
    steps[0]?.write(2_400);
    await settled();
    expect(asked).toEqual([]);
    steps[0]?.write(4);
    await settled();
    expect(await ended).toEqual(USED_UP);
    // An ordinary reply more, or else what it has come to.
    expect(asked).toEqual([705 + 600, 705]);
  });

  it('lets it go on as long as the grant holds more, asking for an ordinary reply at a time', async () => {
    const { steps, asked, call } = scene(704, (tokens) => Promise.resolve(tokens <= 1_400));
    const ended = call();
    await settled();
    for (let written = 0; written < 7; written += 1) {
      steps[0]?.write(800);
      await settled();
    }
    // 104 for the prompt, then 200 at a time: 704 are leased, and from 904 on it asks.
    expect(asked.slice(0, 8)).toEqual([1_504, 904, 1_704, 1_104, 1_904, 1_304, 2_104, 1_504]);
    expect(await ended).toEqual(USED_UP);
  });

  it('tells the provider how much the grant has left for it, and never more than any model can write', async () => {
    const left = scene(5_000, undefined, 3_000);
    void left.call();
    void left.call();
    await settled();
    // 3,000 less a prompt of 104 and what the other one is counted for, 704.
    expect(left.steps.map(({ outputTokensMax }) => outputTokensMax)).toEqual([2_192, 2_192]);
    const plenty = scene(5_000);
    void plenty.call(ROUTER);
    void plenty.call();
    await settled();
    expect(plenty.steps.map(({ outputTokensMax }) => outputTokensMax)).toEqual([undefined, 16_000]);
  });

  it('lets router calls pass, whatever is left', async () => {
    const { steps, asked, call } = scene(0);
    void call(ROUTER);
    await settled();
    expect([steps.map(({ model }) => model.id), asked]).toEqual([['o/m'], []]);
  });

  it('rejects when the store cannot be asked', async () => {
    const { call } = scene(0, () => Promise.reject(new Error('the store is down')));
    await expect(call()).rejects.toThrow('the store is down');
  });
});
