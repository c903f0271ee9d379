import { scopeOf } from '../../test/support/request-scope';
import { textOfTokens } from '../../test/support/text-of-tokens';
import { createCatalog, type ModelRow } from '../models/catalog';
import {
  type CallResult,
  failedCall,
  type GatewayCall,
  type ModelGateway,
  newMeter,
} from '../models/gateway/gateway-call';
import type { ReportedUsage } from '../models/model';
import type { ModelFaultKind } from '../models/model-fault';
import { grantedGateway, type RunLease } from './granted-gateway';

const PLATFORM = createCatalog().modelOf('demo-ada');
const ROUTER: ModelRow = { ...PLATFORM, id: 'o/m', provider: 'router' };
/** 100 tokens and the wrapping: 104, and 704 with an ordinary reply. */
const PROMPT = { turns: [{ role: 'user' as const, text: textOfTokens(100) }] };
const USED_UP = failedCall('token_grant_used_up');
const ABORTED = failedCall('aborted');
const DOWN = () => Promise.reject(new Error('the store is down'));
/** Lets everything run that can. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A call as the test drives it. */
interface Step extends Pick<GatewayCall, 'model' | 'outputTokensMax' | 'signal'> {
  write(characters: number): void;
  fail(fault: ModelFaultKind, usage?: ReportedUsage): void;
  answer(said: { promptTokens: number; completionTokens: number } | number): void;
}

/** A gateway whose calls begin at once and end when the test says so; it counts four characters a token. */
function scene(tokens: number, extend: RunLease['extend'] = () => Promise.resolve(false), tokensMax = 300_000) {
  const client = new AbortController();
  const steps: Step[] = [];
  const asked: number[] = [];
  const inner: ModelGateway = {
    call: async (call) => {
      const { meter } = await call.openAttempt(1);
      const { promise, resolve } = Promise.withResolvers<CallResult>();
      call.signal.addEventListener('abort', () => resolve(ABORTED));
      steps.push({
        ...call,
        write: (characters) => {
          meter.characters += characters;
          meter.tokens += characters / 4;
          call.onProgress?.();
        },
        fail: (fault, usage) => {
          meter.usage = usage;
          resolve(failedCall(fault));
        },
        answer: (said) => {
          if (typeof said === 'number') Object.assign(meter, { characters: said, tokens: Math.ceil(said / 4) });
          else meter.usage = said;
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
  const gateway = grantedGateway(inner, lease);
  const call = (model = PLATFORM, change: Partial<GatewayCall> = {}) =>
    gateway.call({
      scope: scopeOf('q1'),
      model,
      prompt: PROMPT,
      purpose: 'draft',
      signal: client.signal,
      budgetMs: 1_000,
      openAttempt: () => ({ meter: newMeter(), close: () => undefined, cancel: () => {} }),
      ...change,
    });
  /** A call, and its step once it has begun. */
  const begin = async () => {
    const ended = call();
    await settled();
    return { ended, step: steps.at(-1) as Step };
  };
  return { steps, asked, call, begin, client };
}

describe('calls on a grant', () => {
  it.each<[string, (step: Step) => void, number]>([
    ['reported', (step) => step.answer({ promptTokens: 5_000, completionTokens: 20_000 }), 25_000],
    ['by its text', (step) => step.answer(40), 114],
    ['refused', (step) => step.fail('overloaded'), 0],
    ['not authorized', (step) => step.fail('unauthorized'), 0],
    ['cut off', (step) => step.fail('timeout'), 104],
    ['refused after its prompt was told of', (step) => step.fail('overloaded', { completionTokens: 5 }), 109],
    [
      'refused after it had said something',
      (step) => {
        step.write(40);
        step.fail('overloaded');
      },
      114,
    ],
  ])('that are over count for what they took: %s', async (_, end, tokens) => {
    const { asked, begin, call } = scene(704);
    const { ended, step } = await begin();
    end(step);
    await ended;
    for (let count = 0; count < 2; count += 1) void call();
    await settled();
    expect(asked.at(-1)).toBe(tokens + (tokens > 0 ? 1 : 2) * 704);
  });

  it('are told how much the grant has left, and never more than any model or the caller allows', async () => {
    const left = scene(5_000, undefined, 3_000);
    void left.call();
    void left.call();
    const plenty = scene(5_000);
    void plenty.call(ROUTER);
    void plenty.call();
    void plenty.call(PLATFORM, { outputTokensMax: 1_200 });
    await settled();
    const told = [left, plenty].map(({ steps }) => steps.map(({ outputTokensMax }) => outputTokensMax));
    // 3,000 less a prompt of 104 and what the other one is counted for, 704.
    expect(told).toEqual([
      [2_192, 2_192],
      [undefined, 16_000, 1_200],
    ]);
  });

  it('reject when the store cannot be asked, and are stopped where they are under way', async () => {
    await expect(scene(0, DOWN).call()).rejects.toThrow('the store is down');
    const { ended, step } = await scene(704, DOWN).begin();
    step.write(2_404);
    await expect(ended).rejects.toThrow('the store is down');
    expect(step.signal.aborted).toBe(true);
  });

  it('stop once they have come to more than the grant holds, those within an ordinary reply do not', async () => {
    const { asked, begin } = scene(2 * 704);
    const [long, short] = [await begin(), await begin()];
    for (let count = 0; count < 3; count += 1) long.step.write(2_404);
    expect(await long.ended).toEqual(USED_UP);
    // 104 and 1,803 beside the other's 704, with an ordinary reply more and without, asked for once.
    expect(asked).toEqual([1_907 + 704 + 600, 1_907 + 704]);
    short.step.write(2_400);
    short.step.answer(2_400);
    expect(await short.ended).toMatchObject({ ok: true });
    expect(asked).toHaveLength(2);
  });

  it('stand where they were complete when the grant ran out', async () => {
    const { ended, step } = await scene(704).begin();
    step.write(2_404);
    step.answer(2_404);
    expect(await ended).toMatchObject({ ok: true });
  });

  it('go on as long as the grant holds more, asking for an ordinary reply at a time', async () => {
    const { asked, begin } = scene(704, (tokens) => Promise.resolve(tokens <= 1_400));
    const { ended, step } = await begin();
    for (let written = 0; written < 7; written += 1) {
      step.write(800);
      await settled();
    }
    // 104 for the prompt, then 200 at a time: 704 are leased, and from 904 on it asks.
    expect(asked.slice(0, 8)).toEqual([1_504, 904, 1_704, 1_104, 1_904, 1_304, 2_104, 1_504]);
    expect(await ended).toEqual(USED_UP);
  });
});
