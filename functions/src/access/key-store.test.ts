import { keyRecord, T0 } from '../../test/support/store-records';
import { isLive, judgeInsertion, limitsOf } from './key-store';

describe('a key', () => {
  it('works while it is active, and until the moment it expires', () => {
    expect(isLive(keyRecord('k'), T0)).toBe(true);
    expect(isLive(keyRecord('k', { status: 'inactive' }), T0)).toBe(false);
    expect(isLive(keyRecord('k', { status: 'revoked' }), T0)).toBe(false);
    const expiring = keyRecord('k', { expiresAtMs: T0 + 10 });
    expect([9, 10, 11].map((ms) => isLive(expiring, T0 + ms))).toEqual([true, false, false]);
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

  it('takes the place of the key it replaces, whether that ends at once or goes on', () => {
    for (const endsAtMs of [T0, T0 + 1]) {
      expect(judge(['a', 'b', 'c'], taking('a', endsAtMs))).toBe('inserted');
      expect(judge(['a', 'b', 'c', 'd'], taking('a', endsAtMs))).toBe('full');
    }
  });

  it('may find as many beside it that were rotated and go on, and no more', () => {
    const rotating = ['x', 'y', 'z'].map((id) => keyRecord(id, { replacedBy: 'a', expiresAtMs: T0 + 1 }));
    const lasting = ['a', 'b'].map((id) => keyRecord(id));
    const terms = { liveMax: 3, nowMs: T0, tagKey: 't' };
    expect(judgeInsertion([...rotating, ...lasting], terms)).toBe('inserted');
    expect(judgeInsertion([...rotating, ...lasting], { ...terms, ...taking('a', T0 + 1) })).toBe('full');
    expect(judgeInsertion([...rotating, ...lasting], { ...terms, ...taking('a', T0) })).toBe('inserted');
    expect(judgeInsertion([...rotating.slice(1), ...lasting], { ...terms, ...taking('a', T0 + 1) })).toBe('inserted');
    // Those that have ended are in nobody's way.
    expect(judgeInsertion([...rotating, ...lasting], { ...terms, nowMs: T0 + 1, ...taking('a', T0 + 2) })).toBe(
      'inserted',
    );
  });

  it('replaces no key that is not there, works no more, or was replaced before', () => {
    expect(judge(['a'], taking('b', T0))).toBe('gone');
    const terms = { liveMax: 3, nowMs: T0, tagKey: 't', ...taking('a', T0) };
    expect(judgeInsertion([keyRecord('a', { status: 'revoked' })], terms)).toBe('gone');
    expect(judgeInsertion([keyRecord('a', { replacedBy: 'b' })], terms)).toBe('gone');
  });
});
