import { editOf, valuesOf, wishOf } from './key-wish';
import type { Key } from './keys';

const NOW_MS = Date.UTC(2026, 0, 15, 12);
const KEY: Key = {
  ...{ id: 'key_1', usageId: 'key_1', name: 'ci', prefix: 'sk-', last4: 'abcd', state: 'active', spentUsd: 0 },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', lastUsedAt: null, expiresAt: null, replacedBy: null },
};
const LIMITS = { models: ['gpt-*', 'o3'], endpoints: ['models' as const], requestsPerMinute: 7, budgetUsd: 2.5 };
const LIMITED: Key = { ...KEY, ...LIMITS };

describe('the wish for a key', () => {
  it('is a name alone where nothing else is written', () => {
    expect(wishOf({ ...valuesOf(), name: 'ci' }, NOW_MS)).toEqual({ name: 'ci' });
  });

  it('has models between commas, and what else was chosen', () => {
    const values = { ...valuesOf(), name: 'ci', models: ' gpt-* ,, o3,', requestsPerMinute: ' 7 ', budget: '2.5' };
    expect(wishOf({ ...values, endpoints: ['models'] }, NOW_MS)).toEqual({ name: 'ci', ...LIMITS });
  });

  it.each([
    [{ budget: 'a lot' }, 'budgetUsd'],
    [{ requestsPerMinute: 'ten' }, 'requestsPerMinute'],
    [{ expiry: { choice: 'date', day: '' } }, 'expiresAt'],
  ] as const)('of %j is told at the field %s', (values, field) => {
    expect(wishOf({ ...valuesOf(), ...values }, NOW_MS)).toEqual({ flaws: { [field]: expect.any(String) } });
  });
});

describe('the change of a key', () => {
  const edited = (key: Key, change: object) => {
    const wish = wishOf({ ...valuesOf(key), ...change }, NOW_MS);
    return 'flaws' in wish ? wish : editOf(key, wish, NOW_MS);
  };

  it.each([
    KEY,
    LIMITED,
    { ...LIMITED, expiresAt: '2026-02-01T07:00:00.000Z' },
    { ...LIMITED, state: 'rotating' as const },
  ])('is none where nothing was changed: %#', (key) => {
    expect(edited(key, {})).toEqual({});
  });

  it('has what differs, and takes away what was emptied', () => {
    expect(edited(LIMITED, { models: 'o3', requestsPerMinute: '' })).toEqual({
      models: ['o3'],
      requestsPerMinute: 'none',
    });
    const emptied = { models: '', endpoints: [], budget: '', name: 'new' };
    expect(edited(LIMITED, emptied)).toEqual({ models: 'none', endpoints: 'none', budgetUsd: 'none', name: 'new' });
    expect(edited(KEY, { endpoints: ['usage'] })).toEqual({ endpoints: ['usage'] });
  });
});
