import type { KeyTerms } from '../../src/access/key-store';
import { adasKey, keyRecord, T0 } from '../support/store-records';
import type { CurrentStore } from './store.contract';

/** So many live keys at T0, under the pepper of `keyRecord`. */
function terms(liveMax: number): KeyTerms {
  return { liveMax, nowMs: T0, tagKey: 'tag key of v1' };
}

/** `KeyStore`. */
export function keyContract(current: CurrentStore): void {
  it('reads a key back as it was stored, with every optional field empty or filled', async () => {
    const bare = keyRecord('bare');
    const filled = keyRecord('filled', {
      status: 'inactive',
      expiresAtMs: T0 + 1,
      lastUsedAtMs: T0 + 2,
      replacedBy: 'bare',
      name: 'Zoë’s "phone" 📱',
      models: ['gpt-*', 'claude-haiku-4-5'],
      endpoints: ['chat.completions', 'usage'],
      requestsPerMinute: 10,
      budgetNanoUsd: 5_000_000_000,
    });
    await current().insertKey(bare);
    await current().insertKey(filled);
    expect(await current().findKey('bare')).toEqual(bare);
    expect(await current().findKey('filled')).toEqual(filled);
  });

  it('refuses a second key with the same id and leaves the first as it was', async () => {
    await current().insertKey(keyRecord('k'));
    await expect(current().insertKey(keyRecord('k', { hash: 'another', name: 'thief' }))).rejects.toThrow();
    expect(await current().findKey('k')).toEqual(keyRecord('k'));
    expect(await current().readAccess(['another'])).toBeUndefined();
  });

  it('lists the keys of one user, newest first', async () => {
    await current().insertKey(keyRecord('middle', { createdAtMs: T0 + 1 }));
    await current().insertKey(keyRecord('oldest', { createdAtMs: T0 }));
    await current().insertKey(keyRecord('newest', { createdAtMs: T0 + 2, status: 'revoked' }));
    await current().insertKey(keyRecord('foreign', { userId: 'bob' }));
    const ids = (await current().listKeys('ada')).map(({ keyId }) => keyId);
    expect(ids).toEqual(['newest', 'middle', 'oldest']);
    expect(await current().listKeys('nobody')).toEqual([]);
  });

  it('changes only the named fields of a key', async () => {
    await current().insertKey(keyRecord('k', { expiresAtMs: T0 + 9 }));
    expect(await current().updateKey(adasKey('k'), { status: 'revoked' })).toBe(true);
    expect(await current().findKey('k')).toEqual(keyRecord('k', { status: 'revoked', expiresAtMs: T0 + 9 }));
    expect(await current().updateKey(adasKey('k'), { expiresAtMs: null, replacedBy: 'k2' })).toBe(true);
    expect(await current().findKey('k')).toEqual(keyRecord('k', { status: 'revoked', replacedBy: 'k2' }));
    expect(await current().updateKey(adasKey('k'), { name: 'desk' })).toBe(true);
    const renamed = keyRecord('k', { status: 'revoked', replacedBy: 'k2', name: 'desk' });
    expect(await current().listKeys('ada')).toEqual([renamed]);
    expect(await current().updateKey(adasKey('k'), {})).toBe(true);
  });

  it('gives a key another budget or none, and leaves its other limits alone', async () => {
    const limits = { models: ['demo-*'], endpoints: ['models'], requestsPerMinute: 3 } as const;
    await current().insertKey(keyRecord('k', { ...limits, budgetNanoUsd: 1 }));
    await current().updateKey(adasKey('k'), { budgetNanoUsd: 7 });
    expect(await current().findKey('k')).toEqual(keyRecord('k', { ...limits, budgetNanoUsd: 7 }));
    await current().updateKey(adasKey('k'), { name: 'desk', budgetNanoUsd: null });
    expect(await current().listKeys('ada')).toEqual([keyRecord('k', { ...limits, name: 'desk' })]);
  });

  it('takes a key of another user for none, and leaves it as it was', async () => {
    await current().insertKey(keyRecord('k'));
    const unknown = await current().updateKey({ userId: 'bob', keyId: 'nobody' }, { status: 'revoked' });
    expect(await current().updateKey({ userId: 'bob', keyId: 'k' }, { status: 'revoked' })).toBe(unknown);
    expect(await current().findKey('k')).toEqual(keyRecord('k'));
  });

  it('stores a key beside fewer live ones than its terms allow, and counts neither dead nor foreign ones', async () => {
    await current().insertKey(keyRecord('revoked', { status: 'revoked' }));
    await current().insertKey(keyRecord('expired', { expiresAtMs: T0 }));
    await current().insertKey(keyRecord('foreign', { userId: 'bob' }));
    const outcomes = [];
    for (const id of ['one', 'two', 'three']) outcomes.push(await current().insertKey(keyRecord(id), terms(2)));
    expect(outcomes).toEqual(['inserted', 'inserted', 'full']);
    expect(await current().findKey('three')).toBeUndefined();
    await current().updateKey(adasKey('one'), { status: 'revoked' });
    expect(await current().insertKey(keyRecord('three'), terms(2))).toBe('inserted');
  });

  it('never stores more than its terms allow, however many are stored at once', async () => {
    for (let index = 0; index < 15; index += 1) await current().insertKey(keyRecord(`old-${index}`));
    const keys = Array.from({ length: 20 }, (_, index) => keyRecord(`new-${index}`));
    const outcomes = await Promise.all(keys.map((key) => current().insertKey(key, terms(20))));
    expect(outcomes.filter((outcome) => outcome === 'inserted')).toHaveLength(5);
    expect(await current().listKeys('ada')).toHaveLength(20);
  });

  it('replaces a key in one commit, at the limit too', async () => {
    await current().insertKey(keyRecord('old'));
    await current().insertKey(keyRecord('other'));
    const replaces = { keyId: 'old', endsAtMs: T0 + 1 };
    expect(await current().insertKey(keyRecord('new'), { ...terms(1), replaces })).toBe('full');
    expect(await current().findKey('old')).toEqual(keyRecord('old'));
    expect(await current().insertKey(keyRecord('new'), { ...terms(2), replaces })).toBe('inserted');
    expect(await current().findKey('old')).toEqual(keyRecord('old', { expiresAtMs: T0 + 1, replacedBy: 'new' }));
    expect(await current().findKey('new')).toEqual(keyRecord('new'));
    expect(await current().findKey('other')).toEqual(keyRecord('other'));
  });

  it('lets one of two replacements at once take over', async () => {
    await current().insertKey(keyRecord('old'));
    const replaces = { keyId: 'old', endsAtMs: T0 + 9 };
    const outcomes = await Promise.all(
      ['a', 'b'].map((id) => current().insertKey(keyRecord(id), { ...terms(20), replaces })),
    );
    expect(outcomes.sort()).toEqual(['gone', 'inserted']);
    expect(await current().listKeys('ada')).toHaveLength(2);
  });

  it('moves a key to another hash, under which alone it is found then, with all it has', async () => {
    const key = keyRecord('k', { hash: 'h1', models: ['gpt-*'], expiresAtMs: T0 + 9 });
    await current().insertKey(key);
    const to = { hash: 'h2', pepperVersion: 'v2' };
    await current().readAccess(['h1']);
    expect(await current().rehashKey('h1', to)).toBe(true);
    expect(await current().readAccess(['h1'])).toBeUndefined();
    expect((await current().readAccess(['h2', 'h1']))?.key).toEqual({ ...key, ...to });
    expect(await current().findKey('k')).toEqual({ ...key, ...to });
    expect(await current().listKeys('ada')).toEqual([{ ...key, ...to }]);
    expect(await current().updateKey(adasKey('k'), { status: 'revoked' })).toBe(true);
    expect((await current().readAccess(['h2']))?.key.status).toBe('revoked');
    // Again, as another process would at the same time; and a key that nobody has.
    expect(await current().rehashKey('h1', to)).toBe(true);
    expect(await current().rehashKey('h3', { hash: 'h4', pepperVersion: 'v2' })).toBe(false);
  });

  it('notes the use of a key at most once a minute and never back', async () => {
    await current().insertKey(keyRecord('key-1', { hash: 'h1' }));
    await current().insertKey(keyRecord('other', { hash: 'h2' }));
    const useAt = async (usedAtMs: number) => {
      await current().noteKeyUse('h1', usedAtMs);
      return (await current().findKey('key-1'))?.lastUsedAtMs;
    };
    expect(await useAt(T0)).toBe(T0);
    expect(await useAt(T0 + 59_999)).toBe(T0);
    expect(await useAt(T0 + 60_000)).toBe(T0 + 60_000);
    expect(await useAt(T0 + 1_000)).toBe(T0 + 60_000);
    expect((await current().findKey('other'))?.lastUsedAtMs).toBeNull();
    expect((await current().readAccess(['h1']))?.key.lastUsedAtMs).toBe(T0 + 60_000);
  });
}
