import { keyRecord, T0 } from '../../test/support/store-records';
import { isLive, judgeInsertion } from './key-state';

it.each([
  [{}, 0, true],
  [{ status: 'inactive' }, 0, false],
  [{ status: 'revoked' }, 0, false],
  [{ expiresAtMs: T0 + 10 }, 9, true],
  [{ expiresAtMs: T0 + 10 }, 10, false],
] as const)('a key of %j works after %d ms: %s', (change, afterMs, works) => {
  expect(isLive(keyRecord('k', change), T0 + afterMs)).toBe(works);
});

describe('one more key of at most 3', () => {
  const live = (...ids: string[]) => ids.map((id) => keyRecord(id));
  const rotating = (...ids: string[]) => ids.map((id) => keyRecord(id, { replacedBy: 'a', expiresAtMs: T0 + 1 }));
  const dead = [keyRecord('r', { status: 'revoked' }), keyRecord('e', { expiresAtMs: T0 })];

  it.each([
    ['beside two and dead ones', [...live('a', 'b'), ...dead], undefined, 'inserted'],
    ['beside three', live('a', 'b', 'c'), undefined, 'full'],
    ['beside two and three that were rotated', [...live('a', 'b'), ...rotating('x', 'y', 'z')], undefined, 'inserted'],
    ['for one of three that ends at once', live('a', 'b', 'c'), 0, 'inserted'],
    ['for one of three that goes on', live('a', 'b', 'c'), 1, 'inserted'],
    ['for one of four', live('a', 'b', 'c', 'd'), 0, 'full'],
    ['for one that goes on beside three rotated', [...live('a', 'b'), ...rotating('x', 'y', 'z')], 1, 'full'],
    ['for one that ends beside three rotated', [...live('a', 'b'), ...rotating('x', 'y', 'z')], 0, 'inserted'],
    ['for one that goes on beside two rotated', [...live('a', 'b'), ...rotating('y', 'z')], 1, 'inserted'],
    ['for one that is not there', live('b'), 0, 'gone'],
    ['for one that works no more', [keyRecord('a', { status: 'revoked' })], 0, 'gone'],
    ['for one that was replaced before', rotating('a'), 0, 'gone'],
  ] as const)('%s', (_, keys, replacedEndsInMs, outcome) => {
    const replaces =
      replacedEndsInMs === undefined ? {} : { replaces: { keyId: 'a', endsAtMs: T0 + replacedEndsInMs } };
    expect(judgeInsertion(keys, { liveMax: 3, nowMs: T0, tagKey: 't', ...replaces })).toBe(outcome);
  });
});
