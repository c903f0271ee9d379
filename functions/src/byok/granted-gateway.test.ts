import { fakeClock } from '../../test/support/fake-clock';
import { scopeOf } from '../../test/support/request-scope';
import { textOfTokens } from '../../test/support/text-of-tokens';
import { createCatalog, type ModelRow } from '../models/catalog';
import {
  type AttemptEntry,
  type CallResult,
  failedCall,
  type GatewayCall,
  type ModelGateway,
  newMeter,
} from '../models/gateway/gateway-call';
import type { ModelFaultKind, ReportedUsage } from '../models/model';
import { grantedGateway, type RunLease } from './granted-gateway';

const PLATFORM = createCatalog().modelOf('demo-ada');
const ROUTER: ModelRow = { ...PLATFORM, id: 'o/m', provider: 'router' };
/** 100 tokens and the wrapping: 104, and 704 with an ordinary reply. */
const PROMPT = { turns: [{ role: 'user' as const, text: textOfTokens(100) }] };

interface Step {
  readonly model: ModelRow;
  readonly outputTokensMax: number | undefined;
  write(characters: number): void;
  fail(fault: ModelFaultKind, usage?: ReportedUsage): void;
  /** Passes a piece of text on. */
  say(piece: string): void;
  /** Begins a second attempt. */
  again(): Promise<unknown>;
  readonly signal: AbortSignal;
  answer(usage: { promptTokens: number; completionTokens: number } | string): void;
}

/** A gateway whose calls begin at once and end when the test says so; it counts four characters a token. */
function scene(tokens: number, extend: RunLease['extend'] = () => Promise.resolve(false), tokensMax = 300_000) {
  const client = new AbortController();
  const departure = { clock: fakeClock(), clientGone: client.signal, stopping: NEVER };
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
          book.meter.tokens += characters / 4;
          call.onProgress?.();
        },
        fail: (fault, usage) => {
          book.meter.usage = usage;
          resolve({ ok: false, fault, cause: undefined, streamed: false });
        },
        say: (piece) => void call.onText?.(piece),
        again: async () => call.openAttempt(2),
        signal: call.signal,
        answer: (usage) => {
          if (typeof usage === 'string')
            Object.assign(book.meter, { characters: usage.length, tokens: Math.ceil(usage.length / 4) });
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
  const call = (model = PLATFORM, change: Partial<GatewayCall> = {}) =>
    gateway.call({ ...callTo(model), signal: client.signal, ...change });
  return { steps, asked, call, client };
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

  it('counts a call that was refused after it had said something, or after its prompt was told of', async () => {
    const { steps, asked, call } = scene(5_000);
    const first = call();
    await settled();
    steps[0]?.write(40);
    steps[0]?.fail('overloaded');
    await first;
    const second = call();
    await settled();
    steps[1]?.fail('overloaded', { completionTokens: 5 });
    await second;
    for (let count = 0; count < 6; count += 1) void call();
    expect(await call()).toEqual(USED_UP);
    // 104 and 10 for the first, 104 and 5 for the second.
    expect(asked).toEqual([114 + 109 + 7 * 704]);
  });

  it('does not count a call that it did not let begin', async () => {
    const { asked, call } = scene(704);
    void call();
    for (let count = 0; count < 2; count += 1) expect(await call()).toEqual(USED_UP);
    expect(asked).toEqual([1_408, 1_408]);
  });

  it('gives results as they are where the grant has nothing to do with them', async () => {
    const { steps, call } = scene(2 * 704);
    const [good, bad] = [call(), call()];
    await settled();
    steps[0]?.answer('fine');
    steps[1]?.fail('overloaded');
    expect(await good).toEqual({ ok: true, text: 'fine', finishReason: 'stop' });
    expect(await bad).toEqual({ ok: false, fault: 'overloaded', cause: undefined, streamed: false });
  });

  it('lets an answer stand that was complete when the grant ran out', async () => {
    const { steps, call } = scene(704);
    const ended = call();
    await settled();
    steps[0]?.write(2_404);
    steps[0]?.answer('y'.repeat(2_404));
    expect(await ended).toMatchObject({ ok: true });
  });

  it('asks once for what comes at the same time', async () => {
    const { steps, asked, call } = scene(704);
    void call();
    await settled();
    for (let count = 0; count < 3; count += 1) steps[0]?.write(2_404);
    await settled();
    // 104 and 1,803, with an ordinary reply more and without.
    expect(asked).toEqual([1_907 + 600, 1_907]);
  });

  it('stops only the call that has come to too much, not one that stays within an ordinary reply', async () => {
    const { steps, asked, call } = scene(2 * 704);
    const [long, short] = [call(), call()];
    await settled();
    steps[0]?.write(2_404);
    expect(await long).toEqual(USED_UP);
    steps[1]?.write(2_400);
    await settled();
    expect(asked).toHaveLength(2);
    steps[1]?.answer('fine');
    expect(await short).toMatchObject({ ok: true });
  });

  it('stops a call under way and rejects when the store cannot be asked for it', async () => {
    const { steps, call } = scene(704, () => Promise.reject(new Error('the store is down')));
    const ended = call();
    await settled();
    steps[0]?.write(2_404);
    await expect(ended).rejects.toThrow('the store is down');
    expect(steps[0]?.signal.aborted).toBe(true);
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
    // What the caller's cap leaves may be less.
    const capped = scene(5_000);
    void capped.call(PLATFORM, { outputTokensMax: 1_200 });
    await settled();
    expect(capped.steps.map(({ outputTokensMax }) => outputTokensMax)).toEqual([1_200]);
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

describe('a granted gateway whose client leaves', () => {
  const ABORTED = { ok: false, fault: 'aborted', cause: undefined, streamed: false };

  it('begins nothing for a client that has left', async () => {
    const { steps, call, client } = scene(704);
    client.abort();
    expect([await call(), steps]).toEqual([ABORTED, []]);
  });

  it('passes text on until then, to those who want it', async () => {
    const heard: string[] = [];
    const { steps, call, client } = scene(2 * 704);
    const onText = async (piece: string) => void heard.push(piece);
    void call(PLATFORM, { onText });
    void call();
    await settled();
    steps[0]?.say('one');
    steps[1]?.say('of another');
    client.abort();
    steps[0]?.say('two');
    expect(heard).toEqual(['one']);
  });

  it('reads a call on, and has no answer for it', async () => {
    const { steps, call, client } = scene(2 * 704);
    const [good, bad] = [call(), call()];
    await settled();
    client.abort();
    expect(steps.map(({ signal }) => signal.aborted)).toEqual([false, false]);
    steps[0]?.answer('fine');
    steps[1]?.fail('overloaded');
    expect(await good).toEqual(ABORTED);
    expect(await bad).toMatchObject({ fault: 'overloaded' });
  });

  it('does not ask again', async () => {
    const { steps, call, client } = scene(704);
    const ended = call();
    await settled();
    client.abort();
    await steps[0]?.again();
    expect(steps[0]?.signal.aborted).toBe(true);
    expect(await ended).toEqual(ABORTED);
  });
});
