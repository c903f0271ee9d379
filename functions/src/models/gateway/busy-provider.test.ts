import { fakeClock } from '../../../test/support/fake-clock';
import { scopeOf } from '../../../test/support/request-scope';
import { createCatalog } from '../catalog';
import { ModelFault, type ModelFaultKind } from '../model';
import { createGateway } from './gateway';
import { type CallResult, type GatewayCall, newMeter } from './gateway-call';

const { modelOf } = createCatalog();

/** A provider that takes `places` calls at a time and refuses the others, for calls of one request that take so long. */
function setup({ places, callMs, fault = 'rate_limited' }: { places: number; callMs: number; fault?: ModelFaultKind }) {
  const clock = fakeClock();
  const scope = scopeOf('q1');
  let open = 0;
  let asked = 0;
  const gateway = createGateway({
    clock,
    provider: () => ({
      run: async (_, listener) => {
        asked += 1;
        if (open >= places) throw new ModelFault(fault);
        open += 1;
        await new Promise<void>((resolve) => clock.after(callMs, resolve));
        await listener.text('yes');
        open -= 1;
        return 'stop';
      },
    }),
  });
  const ask = (change: Partial<GatewayCall> = {}): Promise<CallResult> =>
    gateway.call({
      scope,
      model: modelOf('gpt-4o'),
      prompt: { turns: [{ role: 'user', text: 'x' }] },
      purpose: 'draft',
      signal: new AbortController().signal,
      budgetMs: 200_000,
      openAttempt: () => ({ meter: newMeter(), close: () => undefined, cancel: () => undefined }),
      ...change,
    });
  return { clock, ask, asked: () => asked };
}

describe('calls that a provider refuses for the moment', () => {
  it.each([
    { fault: 'rate_limited', callMs: 400, calls: 3 },
    { fault: 'rate_limited', callMs: 20_000, calls: 5 },
    { fault: 'overloaded', callMs: 20_000, calls: 5 },
  ] as const)('by $fault are all made, one after another: $calls of $callMs ms', async ({ calls, ...provider }) => {
    const { clock, ask, asked } = setup({ places: 1, ...provider });
    const all = Promise.all(Array.from({ length: calls }, () => ask()));
    const results = await clock.settle(all, 200_000);
    expect(results.map(({ ok }) => ok)).toEqual(Array(calls).fill(true));
    expect(asked()).toBeLessThan(10 * calls);
  });

  it('say that they wait, and when they do so no longer', async () => {
    const { clock, ask } = setup({ places: 1, callMs: 400 });
    const waits: boolean[] = [];
    const all = Promise.all([ask(), ask({ onWait: (isWaiting) => waits.push(isWaiting) })]);
    await clock.settle(all, 10_000);
    expect(waits).toEqual([true, false]);
  });

  it('are given up once nobody is served: nothing tells that they ever will be', async () => {
    const { clock, ask, asked } = setup({ places: 0, callMs: 400 });
    const results = await clock.settle(Promise.all([ask(), ask(), ask()]), 200_000);
    expect(results).toMatchObject(Array(3).fill({ ok: false, fault: 'rate_limited' }));
    expect(asked()).toBe(3);
  });

  it('are given up after their time, however many others are served', async () => {
    const { clock, ask } = setup({ places: 1, callMs: 60_000 });
    const results = await clock.settle(Promise.all([ask(), ask({ budgetMs: 30_000 })]), 200_000);
    expect(results).toMatchObject([{ ok: true }, { ok: false, fault: 'rate_limited' }]);
  });

  it('are not made again where nothing is left to pay for that', async () => {
    const { clock, ask } = setup({ places: 1, callMs: 400 });
    const results = await clock.settle(Promise.all([ask(), ask({ mayAskAgain: () => false })]), 200_000);
    expect(results).toMatchObject([{ ok: true }, { ok: false, fault: 'rate_limited' }]);
  });
});
