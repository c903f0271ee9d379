import { keyRecord, T0 } from '../support/store-records';
import type { CurrentStore } from './store.contract';

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

  it('finds no key under an unknown id', async () => {
    expect(await current().findKey('nobody')).toBeUndefined();
  });

  it('refuses a second key with the same id and leaves the first as it was', async () => {
    await current().insertKey(keyRecord('k'));
    await expect(current().insertKey(keyRecord('k', { hash: 'another', name: 'thief' }))).rejects.toThrow();
    expect(await current().findKey('k')).toEqual(keyRecord('k'));
    expect(await current().readAccess(['another'])).toBeUndefined();
  });

  it('refuses a second key with the same hash and leaves the first as it was', async () => {
    await current().insertKey(keyRecord('k', { hash: 'h' }));
    await expect(current().insertKey(keyRecord('k2', { hash: 'h', userId: 'eve' }))).rejects.toThrow();
    expect(await current().findKey('k2')).toBeUndefined();
    expect((await current().readAccess(['h']))?.key.userId).toBe('ada');
  });

  it('stores one of two keys inserted at once under one id', async () => {
    const twins = [keyRecord('k', { hash: 'h1' }), keyRecord('k', { hash: 'h2' })];
    const results = await Promise.allSettled(twins.map((key) => current().insertKey(key)));
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
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
    expect(await current().updateKey('k', { status: 'revoked' })).toBe(true);
    expect(await current().findKey('k')).toEqual(keyRecord('k', { status: 'revoked', expiresAtMs: T0 + 9 }));
    expect(await current().updateKey('k', { expiresAtMs: null, replacedBy: 'k2' })).toBe(true);
    expect(await current().findKey('k')).toEqual(keyRecord('k', { status: 'revoked', replacedBy: 'k2' }));
    expect(await current().updateKey('k', {})).toBe(true);
  });

  it('keeps the limits of a key through every change, and shows them wherever the key is read', async () => {
    const limited = keyRecord('k', { hash: 'h', models: ['demo-*'], endpoints: ['models'], budgetNanoUsd: 1 });
    await current().insertKey(limited);
    await current().updateKey('k', { expiresAtMs: T0 + 1 });
    const expected = { ...limited, expiresAtMs: T0 + 1 };
    expect(await current().findKey('k')).toEqual(expected);
    expect(await current().listKeys('ada')).toEqual([expected]);
    expect((await current().readAccess(['h']))?.key).toEqual(expected);
  });

  it('changes no other key', async () => {
    await current().insertKey(keyRecord('k'));
    await current().insertKey(keyRecord('other'));
    await current().updateKey('k', { status: 'revoked' });
    expect(await current().findKey('other')).toEqual(keyRecord('other'));
  });

  it('says so when there is no key to change, and creates none', async () => {
    expect(await current().updateKey('nobody', { status: 'revoked' })).toBe(false);
    expect(await current().findKey('nobody')).toBeUndefined();
  });
}
