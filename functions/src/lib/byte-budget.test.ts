import fc from '../../test/support/properties';
import { ByteBudget } from './byte-budget';

const BUDGET = 1_000;

describe('ByteBudget', () => {
  it('is whole again when everything was released, however often', () => {
    const budget = new ByteBudget(BUDGET);
    const share = budget.shareOf('a');
    share.hold(500);
    share.release();
    share.release();
    expect([budget.hasRoomFor('b', 500), budget.hasRoomFor('b', 501)]).toEqual([true, false]);
  });

  it('whatever is held, nobody gains more than stays free, and all of it together fits', () => {
    const step = fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: BUDGET }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const budget = new ByteBudget(BUDGET);
        // Two shares of each of three owners.
        const shares = Array.from({ length: 6 }, (_, index) => budget.shareOf(String(index % 3)));
        const held = shares.map(() => 0);
        const sum = (which: (index: number) => boolean): number =>
          held.reduce((total, bytes, index) => total + (which(index) ? bytes : 0), 0);
        for (const [index, bytes] of steps) {
          const more = bytes - (held[index] ?? 0);
          const own = sum((other) => other % 3 === index % 3) + more;
          const free = BUDGET - sum(() => true) - more;
          expect(shares[index]?.hold(bytes)).toBe(more <= 0 || own <= free);
          if (more <= 0 || own <= free) held[index] = bytes;
        }
        expect(sum(() => true)).toBeLessThan(BUDGET);
      }),
    );
  });
});
