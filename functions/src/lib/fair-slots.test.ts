import fc from '../../test/support/properties';
import { FairSlots, type Release } from './fair-slots';

const NEVER = new AbortController().signal;

/** Waits for a slot and notes the name when it is let in. */
function queue(slots: FairSlots, admitted: string[], owner: string, name: string): Promise<Release | undefined> {
  return slots.wait(owner, NEVER).then((release) => {
    admitted.push(name);
    return release;
  });
}

describe('FairSlots', () => {
  it('owners wait in turn, one task each; within an owner first come, first served', async () => {
    const slots = new FairSlots(1);
    let release = slots.tryTake();
    const admitted: string[] = [];
    const waiting = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((name) => queue(slots, admitted, name.charAt(0), name));
    for (const expected of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']) {
      release?.();
      release = await Promise.race(
        waiting.filter((_, index) => ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'][index] === expected),
      );
    }
    expect(admitted).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('giving back twice frees one slot', () => {
    const slots = new FairSlots(1);
    const release = slots.tryTake();
    release?.();
    release?.();
    expect([slots.tryTake(), slots.tryTake()].map((taken) => taken !== undefined)).toEqual([true, false]);
  });

  it('who gives up leaves the line and keeps nobody waiting', async () => {
    const slots = new FairSlots(1);
    const release = slots.tryTake();
    const leaver = new AbortController();
    const left = slots.wait('a', leaver.signal);
    const stays = slots.wait('b', NEVER);
    leaver.abort();
    expect(await left).toBeUndefined();
    release?.();
    expect(await stays).toBeDefined();
  });
});

it('no owner has more than its own most, however many are free', async () => {
  const slots = new FairSlots(Number.POSITIVE_INFINITY, { ownMax: 2 });
  const [release] = [slots.tryTake('a'), slots.tryTake('a')];
  expect([slots.tryTake('a'), slots.tryTake('b')].map(Boolean)).toEqual([false, true]);
  const waiting = slots.wait('a', NEVER);
  release?.();
  expect(await waiting).toBeDefined();
});

describe('FairSlots that leave some free', () => {
  const take = (slots: FairSlots, owner: string, count: number): (Release | undefined)[] =>
    Array.from({ length: count }, () => slots.tryTake(owner));
  const had = (taken: readonly (Release | undefined)[]): number => taken.filter(Boolean).length;

  it('one owner has half at most, and the next finds a slot', () => {
    const slots = new FairSlots(8, { leavesFree: true });
    expect([had(take(slots, 'a', 20)), had(take(slots, 'b', 20)), had(take(slots, 'c', 20))]).toEqual([4, 2, 1]);
  });

  it('one slot given back lets in everybody it makes room for', async () => {
    const slots = new FairSlots(4, { leavesFree: true });
    const release = slots.tryTake('a');
    take(slots, 'a', 1);
    take(slots, 'b', 1);
    take(slots, 'c', 1);
    const admitted: string[] = [];
    const waiting = ['b2', 'd1'].map((name) => queue(slots, admitted, name.charAt(0), name));
    release?.();
    await waiting[1];
    expect(admitted).toEqual(['d1']);
  });

  it('property: no more are given than there are, none is lost, and nobody waits in vain', async () => {
    const owners = fc.array(fc.constantFrom('a', 'b', 'c', 'd', undefined), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(owners, fc.integer({ min: 1, max: 9 }), async (steps, count) => {
        const slots = new FairSlots(count, { leavesFree: true });
        const held: Release[] = [];
        const asked = steps.map(async (owner) => {
          if (owner === undefined) return held.shift()?.();
          const release = slots.tryTake(owner) ?? (await slots.wait(owner, NEVER));
          if (release) held.push(release);
          expect(held.length).toBeLessThanOrEqual(count);
        });
        for (await turn(); held.length > 0; await turn()) held.shift()?.();
        await Promise.all(asked);
        expect(had(Array.from({ length: 2 * count }, (_, index) => slots.tryTake(`owner ${index}`)))).toBe(count);
      }),
    );
  });
});

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
