import { keyRecord, T0 } from '../../test/support/store-records';
import { isLive, judgeInsertion, LAST_USED_STEP_MS, limitsOf } from './key-store';

describe('a key', () => {
  it('works while it is active, and until the moment it expires', () => {
    expect(isLive(keyRecord('k'), T0)).toBe(true);
    expect(isLive(keyRecord('k', { status: 'inactive' }), T0)).toBe(false);
    expect(isLive(keyRecord('k', { status: 'revoked' }), T0)).toBe(false);
    const expiring = keyRecord('k', { expiresAtMs: T0 + 10 });
    expect([9, 10, 11].map((ms) => isLive(expiring, T0 + ms))).toEqual([true, false, false]);
  });

  it('has its last use written at most every five minutes', () => {
    expect(LAST_USED_STEP_MS).toBe(300_000);
  });

  it('has the limits that were set, also those of nothing, and no others', () => {
    const limits = { models: [], endpoints: [], requestsPerMinute: 0, budgetNanoUsd: 0 };
    expect(limitsOf(keyRecord('k', limits))).toStrictEqual(limits);
    expect(limitsOf(keyRecord('k'))).toStrictEqual({});
  });
});

describe('one more key', () => {
  const judge = (keys: readonly string[], terms: object = {}) =>
    judgeInsertion(
      keys.map((id) => keyRecord(id)),
      { liveMax: 3, nowMs: T0, tagKey: 't', ...terms },
    );
  const taking = (keyId: string, endsAtMs: number) => ({ replaces: { keyId, endsAtMs } });

  it('is stored while there are fewer than the user may have', () => {
    expect([judge(['a', 'b']), judge(['a', 'b', 'c'])]).toEqual(['inserted', 'full']);
  });

  it('is not kept out by keys that work no more', () => {
    const dead = [keyRecord('x', { status: 'revoked' }), keyRecord('y', { expiresAtMs: T0 })];
    const terms = { liveMax: 1, nowMs: T0, tagKey: 't' };
    expect(judgeInsertion(dead, terms)).toBe('inserted');
    expect(judgeInsertion([...dead, keyRecord('z')], terms)).toBe('full');
  });

  it('takes the place of the key it replaces where that ends at once, and not where that goes on', () => {
    expect(judge(['a', 'b', 'c'], taking('a', T0))).toBe('inserted');
    expect(judge(['a', 'b', 'c'], taking('a', T0 + 1))).toBe('full');
    expect(judge(['a', 'b'], taking('a', T0 + 1))).toBe('inserted');
    expect(judge(['a', 'b', 'c', 'd'], taking('a', T0))).toBe('full');
  });

  it('replaces no key that is not there, works no more, or was replaced before', () => {
    expect(judge(['a'], taking('b', T0))).toBe('gone');
    const terms = { liveMax: 3, nowMs: T0, tagKey: 't', ...taking('a', T0) };
    expect(judgeInsertion([keyRecord('a', { status: 'revoked' })], terms)).toBe('gone');
    expect(judgeInsertion([keyRecord('a', { replacedBy: 'b' })], terms)).toBe('gone');
  });
});
