import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { fakeClock } from '../../test/support/fake-clock';
import type { IdempotencyStore } from '../ledger/idempotency';
import { ByteBudget } from '../lib/byte-budget';
import { createLog } from '../lib/log';
import { dailyBytes, idempotentRoutes } from './idempotent-route';
import type { ApiRequest, Route } from './route';

it('200 MB of replies are kept of a user in a UTC day', async () => {
  const clock = fakeClock(Date.UTC(2026, 0, 1, 23));
  const take = dailyBytes(clock);
  expect([take('ann', 200_000_000), take('ann', 1), take('bob', 200_000_001), take('bob', 1)]).toEqual([
    true,
    false,
    false,
    true,
  ]);
  await clock.advance(3_600_000);
  expect(take('ann', 1)).toBe(true);
});

it('nothing of a body is kept while the reply to it is streamed', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const wrap = idempotentRoutes({
    store: { claimKey: async () => ({ granted: true }) } as unknown as IdempotencyStore,
    memory: new ByteBudget(1_000_000),
    guard: { count: () => undefined },
    clock: fakeClock(),
    log: createLog('silent'),
    secret: new Uint8Array(32),
    stopping: new AbortController().signal,
  });
  const handle: Route['handle'] = async ({ readJson }) => {
    expect(await readJson()).toBeDefined();
    return { headers: {}, play: async () => undefined };
  };
  let body: WeakRef<object> | undefined;
  const readJson = async (): Promise<object> => {
    const sent = { model: 'demo-ada' };
    body = new WeakRef(sent);
    return sent;
  };
  const { repeat } = wrap({ method: 'POST', path: '/v1/things', endpoint: 'usage', limited: true, handle });
  const caller = { userId: 'ann', keyId: 'key' };
  const reply = await repeat?.({ id: 'r1', idempotencyKey: 'k', caller, readJson } as unknown as ApiRequest);
  await turn();
  collect();
  expect([body?.deref(), reply]).toEqual([undefined, { headers: {}, play: expect.any(Function) }]);
});
