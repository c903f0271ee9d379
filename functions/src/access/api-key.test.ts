import { fakeClock } from '../../test/support/fake-clock';
import { systemClock } from '../lib/clock';
import { createKeyTags, generateKey, hashKey, hasTag, isWellFormedKey } from './api-key';
import { derivedSecret, type Pepper, parsePeppers } from './peppers';

const [PEPPER] = parsePeppers('pepper') as [Pepper];
const KEYS = Array.from({ length: 20_000 }, () => generateKey('ens', systemClock, PEPPER));
const WELL_FORMED = `sk-ens_${'0'.repeat(49)}`;

describe('API keys', () => {
  it('use every character equally often (chi-squared over 62 characters, p > 0.0001)', () => {
    const counts = new Map<string, number>();
    for (const key of KEYS)
      for (const character of key.slice(7, 50)) counts.set(character, (counts.get(character) ?? 0) + 1);
    const expected = (KEYS.length * 43) / 62;
    const chiSquared = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    expect(counts.size).toBe(62);
    // 61 degrees of freedom: 112.7 is exceeded once in ten thousand runs.
    expect(chiSquared).toBeLessThan(112.7);
  });

  it('are refused with any one character mistyped', () => {
    const [key = ''] = KEYS;
    for (let at = 0; at < key.length; at += 1) {
      const typo = key.slice(0, at) + (key[at] === 'x' ? 'y' : 'x') + key.slice(at + 1);
      expect(isWellFormedKey(typo, 'ens') && hasTag(typo, [PEPPER.tagKey])).toBe(false);
    }
  });

  it.each(['', 'sk-ens_', 'sk-other_', `${WELL_FORMED} `, `${WELL_FORMED}0`, WELL_FORMED.slice(0, -1), '__proto__'])(
    'refuse %j',
    (junk) => {
      expect(isWellFormedKey(junk, 'ens')).toBe(false);
      expect(isWellFormedKey(WELL_FORMED, 'ens')).toBe(true);
    },
  );

  it('have a tag of HMAC-SHA-256 under a key derived from the pepper, worked out elsewhere', () => {
    // Python: t = base64url(hmac(b'pepper', b'key tag')) without padding;
    // int.from_bytes(hmac(t, b'sk-ens_' + b'0' * 43)[:6], 'big') % 62**6 → base62, 6 digits.
    const body = `sk-ens_${'0'.repeat(43)}`;
    expect(hasTag(`${body}FBOuX4`, [PEPPER.tagKey])).toBe(true);
    expect(hasTag(`${body}000000`, [PEPPER.tagKey])).toBe(false);
  });
});

describe('peppers', () => {
  it('are the parts of the setting without blanks and empty ones, newest first', () => {
    expect(parsePeppers(' newest, older ,,').map(({ secret }) => secret)).toEqual(['newest', 'older']);
  });

  it('name themselves, hash keys and give secrets for other purposes as they always did, worked out elsewhere', () => {
    // Python: sha256(b'pepper version\npepper').hexdigest()[:8]; base64url(hmac(b'pepper', b'a key'));
    // hmac(b'pepper', b'derived secret\nsealing').
    expect(PEPPER.version).toBe('9bdb5750');
    expect(hashKey('a key', PEPPER)).toBe('B4yYZ2XPRmuq1C5qaPYbu_j8_4x9HY047ZijwyAm5eo');
    expect(Buffer.from(derivedSecret([PEPPER], 'sealing')).toString('hex')).toBe(
      '7f1e8eb603c6bbc4a955f1c2f7b9cac341c279d5134522cdcbcd6bcb1d4f74e7',
    );
  });
});

const MINUTES_10 = 600_000;
const [LIVE, RETIRED, FOREIGN] = parsePeppers('live,retired,foreign') as [Pepper, Pepper, Pepper];

/** Tags where one pepper is live; `read` says what the store answers, `state.reads` how often it was asked. */
function setup(read: (count: number) => Promise<string[]> = async () => [RETIRED.tagKey]) {
  const clock = fakeClock();
  const state = { reads: 0 };
  const listTagKeys = () => {
    state.reads += 1;
    return read(state.reads);
  };
  const isIssued = createKeyTags({ listTagKeys }, [LIVE], clock);
  const ask = (pepper: Pepper) => isIssued(generateKey('ens', clock, pepper));
  return { clock, state, ask };
}

describe('the tags of keys', () => {
  it('are read at most every ten minutes, whatever keys come', async () => {
    const { clock, state, ask } = setup(async (count) => (count === 1 ? [] : [RETIRED.tagKey]));
    expect(await ask(RETIRED)).toBe(false);
    await clock.advance(MINUTES_10 - 1);
    expect(await ask(RETIRED)).toBe(false);
    expect(state.reads).toBe(1);
    await clock.advance(1);
    expect(await ask(RETIRED)).toBe(true);
    expect(await ask(FOREIGN)).toBe(false);
    expect(state.reads).toBe(2);
  });

  it('that could not be read are read again for the next key', async () => {
    const { state, ask } = setup(async (count) => {
      if (count === 1) throw new Error('store down');
      return [RETIRED.tagKey];
    });
    await expect(ask(RETIRED)).rejects.toThrow('store down');
    expect(await ask(RETIRED)).toBe(true);
    expect(state.reads).toBe(2);
  });
});
