import { fakeClock } from '../../test/support/fake-clock';
import { generateKey, type Pepper, parsePeppers } from './api-key';
import { KeyTags } from './key-tags';

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
  const tags = new KeyTags({ listTagKeys }, [LIVE], clock);
  const ask = (pepper: Pepper) => tags.fit(generateKey('ens', clock, pepper));
  return { clock, state, ask };
}

describe('the tags of keys', () => {
  it('of a live pepper are told without the store', async () => {
    const { state, ask } = setup();
    expect(await ask(LIVE)).toBe(true);
    expect(state.reads).toBe(0);
  });

  it('of a retired pepper are told by the tag key that the store keeps, made-up ones by there being none', async () => {
    const { state, ask } = setup();
    expect([await ask(RETIRED), await ask(FOREIGN)]).toEqual([true, false]);
    expect(state.reads).toBe(1);
  });

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

  it('are read once for all keys that wait for them', async () => {
    const { state, ask } = setup();
    expect(await Promise.all([ask(RETIRED), ask(FOREIGN), ask(RETIRED)])).toEqual([true, false, true]);
    expect(state.reads).toBe(1);
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

  it('stay known when an older reading fails late', async () => {
    const first = Promise.withResolvers<string[]>();
    const { clock, state, ask } = setup((count) => (count === 1 ? first.promise : Promise.resolve([RETIRED.tagKey])));
    const early = ask(RETIRED);
    await clock.advance(MINUTES_10);
    expect(await ask(RETIRED)).toBe(true);
    first.reject(new Error('store down'));
    await expect(early).rejects.toThrow('store down');
    expect(await ask(RETIRED)).toBe(true);
    expect(state.reads).toBe(2);
  });
});
