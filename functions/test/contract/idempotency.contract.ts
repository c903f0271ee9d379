import { T0 } from '../support/store-records';
import type { CurrentStore } from './store.contract';

const ID = 'a'.repeat(64);
const LEASE_MS = 30_000;
const DAY_MS = 86_400_000;

/** `IdempotencyStore`. */
export function idempotencyContract(current: CurrentStore): void {
  const claim = (requestId: string, { nowMs = T0, id = ID, fingerprint = `body of ${requestId}` } = {}) =>
    current().claimKey(
      { id, fingerprint, requestId, leaseUntilMs: nowMs + LEASE_MS, expiresAtMs: nowMs + DAY_MS },
      nowMs,
    );
  const of = (requestId: string) => ({ id: ID, requestId });
  const bytes = (count: number): Uint8Array => Uint8Array.from({ length: count }, (_, at) => (at * 7) % 251);

  it('grants one of many claims made at once, and names the body of that one to the others', async () => {
    const ids = Array.from({ length: 10 }, (_, at) => `r${at}`);
    const outcomes = await Promise.all(ids.map((id) => claim(id)));
    const winner = ids.filter((_, at) => outcomes[at]?.granted);
    expect(winner).toHaveLength(1);
    const refused = outcomes.filter(({ granted }) => !granted);
    expect(refused).toEqual(Array(9).fill({ granted: false, fingerprint: `body of ${winner[0]}` }));
  });

  it('frees a key when its lease ends, at that moment and not before, and later when it was renewed', async () => {
    await claim('a');
    expect(await claim('b', { nowMs: T0 + LEASE_MS - 1 })).toMatchObject({ granted: false });
    await current().renewClaim(of('a'), T0 + LEASE_MS + 500);
    expect(await claim('b', { nowMs: T0 + LEASE_MS + 499 })).toMatchObject({ granted: false });
    expect(await claim('b', { nowMs: T0 + LEASE_MS + 500 })).toEqual({ granted: true });
  });

  it('frees a key one lease after it is asked for where the clock was set back, unless its lease was renewed', async () => {
    const backMs = T0 - 3_600_000;
    for (const id of [ID, 'b'.repeat(64)]) {
      await claim('a', { id });
      expect(await claim('b', { id, nowMs: backMs })).toMatchObject({ granted: false });
    }
    await current().renewClaim(of('a'), backMs + LEASE_MS + 10_000);
    expect(await claim('b', { nowMs: backMs + LEASE_MS })).toMatchObject({ granted: false });
    expect(await claim('b', { id: 'b'.repeat(64), nowMs: backMs + LEASE_MS })).toEqual({ granted: true });
  });

  it('gives a kept reply to every later claim, byte by byte, until all is forgotten', async () => {
    await claim('a');
    await current().keepReply(of('a'), bytes(10_000));
    for (const nowMs of [T0, T0 + LEASE_MS + 1, T0 + DAY_MS - 1]) {
      const outcome = await claim('b', { nowMs });
      expect(outcome).toMatchObject({ granted: false, fingerprint: 'body of a' });
      expect('reply' in outcome && Buffer.from(outcome.reply ?? []).equals(bytes(10_000))).toBe(true);
    }
    expect(await claim('b', { nowMs: T0 + DAY_MS })).toEqual({ granted: true });
    expect(await claim('c', { nowMs: T0 + DAY_MS })).toEqual({ granted: false, fingerprint: 'body of b' });
  });

  it('frees a released key at once', async () => {
    await claim('a');
    await current().releaseClaim(of('a'));
    expect(await claim('b')).toEqual({ granted: true });
  });

  it('lets a request that has lost its key change nothing', async () => {
    await claim('a');
    const later = T0 + LEASE_MS;
    await claim('b', { nowMs: later });
    await current().keepReply(of('a'), bytes(3));
    await current().releaseClaim(of('a'));
    await current().renewClaim(of('a'), later + DAY_MS);
    expect(await claim('c', { nowMs: later + LEASE_MS - 1 })).toEqual({ granted: false, fingerprint: 'body of b' });
    expect(await claim('c', { nowMs: later + LEASE_MS })).toEqual({ granted: true });
  });
}
