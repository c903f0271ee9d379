import { callRow, grantLease, openRow, rateLimit, reservation, settlement, T0 } from '../support/store-records';
import type { CurrentStore } from './store.contract';

const MARCH = { userId: 'ada', month: '2026-03' };
const LEASE_END = T0 + 660_000;

/** `GrantStore`, and what settling does to a grant. */
export function grantContract(current: CurrentStore): void {
  const read = (nowMs = T0) => current().readGrant(MARCH, nowMs);
  const lease = (requestId: string, tokens: number, nowMs = T0) =>
    current().leaseGrant(grantLease(requestId, tokens), 1_000, nowMs);
  const admit = (requestId: string, change: Parameters<typeof reservation>[1] = {}) =>
    current().admit(rateLimit(100, 'byok'), [reservation(requestId, { onGrant: true, ...change })], T0);

  it('grants up to the limit, not a token more, and says what is gone', async () => {
    expect(await lease('a', 600)).toEqual({ granted: true, usedTokens: 0, leasedTokens: 600 });
    expect(await lease('b', 401)).toEqual({ granted: false, usedTokens: 0, leasedTokens: 600 });
    expect(await lease('c', 400)).toEqual({ granted: true, usedTokens: 0, leasedTokens: 1_000 });
    expect(await read()).toEqual({ usedTokens: 0, leasedTokens: 1_000 });
  });

  it('lets a lease end by itself, at its moment and not before', async () => {
    await lease('dead', 1_000);
    expect(await lease('b', 1, LEASE_END - 1)).toMatchObject({ granted: false });
    expect(await read(LEASE_END - 1)).toMatchObject({ leasedTokens: 1_000 });
    expect(await read(LEASE_END)).toEqual({ usedTokens: 0, leasedTokens: 0 });
    const after = grantLease('b', 1_000, { leaseUntilMs: LEASE_END + 1 });
    expect(await current().leaseGrant(after, 1_000, LEASE_END)).toMatchObject({ granted: true, leasedTokens: 1_000 });
  });

  it('never leases more than there is to many who ask at once', async () => {
    const words = await Promise.all(Array.from({ length: 20 }, (_, index) => lease(`r${index}`, 150)));
    expect(words.filter(({ granted }) => granted)).toHaveLength(6);
    expect(await read()).toEqual({ usedTokens: 0, leasedTokens: 900 });
  });

  it('adds the tokens of platform calls when the run is settled, ends its lease, and does so once', async () => {
    await lease('run', 800);
    await lease('other', 100);
    await admit('run', { calls: [openRow('a')] });
    const calls = [
      callRow('a', { promptTokens: 100, completionTokens: 50 }),
      callRow('b', { promptTokens: 1_000, completionTokens: 900, costNanoUsd: 0, ownKey: true }),
      callRow('c', { promptTokens: 7, completionTokens: 0, outcome: 'aborted' }),
    ];
    expect(await current().settle(settlement(reservation('run', { onGrant: true }), calls))).toBe('applied');
    expect(await read()).toEqual({ usedTokens: 157, leasedTokens: 100 });
    expect(await current().settle(settlement(reservation('run', { onGrant: true }), calls))).toBe('already');
    expect(await read()).toEqual({ usedTokens: 157, leasedTokens: 100 });
    expect(await lease('next', 744)).toEqual({ granted: false, usedTokens: 157, leasedTokens: 100 });
    expect(await lease('next', 743)).toMatchObject({ granted: true });
  });

  it('still adds what a run used whose lease had ended long before', async () => {
    await lease('slow', 800);
    await admit('slow');
    await current().leaseGrant(grantLease('next', 1_000, { leaseUntilMs: LEASE_END + 9 }), 1_000, LEASE_END);
    const calls = [callRow('a', { promptTokens: 300, completionTokens: 200 })];
    await current().settle(settlement(reservation('slow', { onGrant: true }), calls, { state: 'swept' }));
    expect(await read(LEASE_END)).toEqual({ usedTokens: 500, leasedTokens: 1_000 });
  });
}
