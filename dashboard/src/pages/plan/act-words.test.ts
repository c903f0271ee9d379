import type { ActName } from '../../../../functions/src/access/act';
import type { Schema } from '../../api/client';
import { actorWords, actWords } from './act-words';

type Act = Schema<'Act'>;

const KEY = 'key_1';
const NAMES = new Map([[KEY, 'laptop']]);
const AT = '2026-11-23T12:00:00.000Z';
const act = (what: string, change: Partial<Act> = {}): Act => ({
  ...{ id: 'act_1', at: AT, by: 'user', what, target: null, network: null, details: {} },
  ...change,
});

/** All that the service records; the compiler holds it to be complete. */
const WORDS: Readonly<Record<ActName, readonly [Partial<Act>, string]>> = {
  'keys.create': [{ target: KEY, details: { name: 'ci' } }, 'Created the key “ci”'],
  'keys.rotate': [
    { target: KEY, details: { successor: 'key_2', worksUntil: AT } },
    'Rotated the key “laptop”, the old one ended at once',
  ],
  'keys.change': [{ target: KEY, details: { expiresAt: null } }, 'Changed the key “laptop”'],
  'keys.revoke': [{ target: 'key_gone' }, 'Revoked a key'],
  'subscriptions.set': [{ details: { tier: 'pro', status: 'past_due' } }, 'Set the plan to Pro, payment is late'],
  'budgets.set': [{ details: { monthlyUsd: 5 } }, 'Set the monthly budget to $5.00'],
  'router_key.save': [{ details: { last4: '6789' } }, 'Saved a router key that ends in 6789'],
  'router_key.remove': [{}, 'Removed the router key'],
  'router_models.add': [{ details: { slugs: 'a/b c/d' } }, 'Added models of the router: a/b, c/d'],
  'router_models.remove': [{ target: 'a/b' }, 'Removed the router model a/b'],
  'sessions.end': [{}, 'Signed out everywhere'],
};

describe('what was done to an account', () => {
  it.each(Object.entries(WORDS))('is told in words: %s', (what, [change, words]) => {
    expect(actWords(act(what, change), NAMES)).toBe(words);
  });

  it('says until when the old key of a rotation works', () => {
    const rotated = act('keys.rotate', { target: KEY, details: { worksUntil: '2026-11-24T12:00:00.000Z' } });
    expect(actWords(rotated, NAMES)).toMatch(/^Rotated the key “laptop”, the old one works until Nov 24, 2026/);
  });

  it('says that a budget was removed', () => {
    expect(actWords(act('budgets.set', { details: { monthlyUsd: null } }), NAMES)).toBe('Removed the monthly budget');
  });

  it('is told as the service names it where there are no words for it', () => {
    expect(actWords(act('moons.launch'), NAMES)).toBe('moons.launch');
    expect(actWords(act('toString'), NAMES)).toBe('toString');
  });

  it('was done by somebody', () => {
    expect((['user', 'cli', 'system'] as const).map((by) => actorWords(act('', { by })))).toEqual([
      ...['You', 'An operator', 'The service'],
    ]);
  });
});
