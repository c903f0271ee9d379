import { T0 } from '../support/store-records';
import type { CurrentStore } from './store.contract';

const ID = 'a'.repeat(64);
const HOUR_MS = 3_600_000;

/** `TurnStore`. */
export function turnContract(current: CurrentStore): void {
  const turn = { userId: 'ada', id: ID };
  const find = (of = turn, nowMs = T0) => current().findTurn(of, nowMs);

  it('is found as it was kept last, until its time is over and not at that moment', async () => {
    expect(await find()).toBeUndefined();
    await current().keepTurn(turn, { advice: [{ seat: 'p1', text: 'Old.', shown: 'Older.' }], reviews: 2 }, T0 + 1);
    const advice = [
      { seat: 'p1', text: 'Look it up: `a.b`, ü, "__x__".' },
      { seat: 'p2', text: 'Wait.', shown: 'W.' },
    ];
    const kept = { advice, reviews: 0, earlier: [{ at: 4, words: '\n\n<<1a2b advice A>>\nü 🍅' }] };
    await current().keepTurn(turn, kept, T0 + HOUR_MS);
    expect(await find(turn, T0 + HOUR_MS - 1)).toEqual(kept);
    expect(await find(turn, T0 + HOUR_MS)).toBeUndefined();
  });

  it('is kept without advice, which is another thing than nothing kept', async () => {
    await current().keepTurn(turn, { advice: [], reviews: 1 }, T0 + HOUR_MS);
    expect(await find()).toEqual({ advice: [], reviews: 1 });
  });

  it('of one user is not found by another, whatever id that user asks with', async () => {
    await current().keepTurn(turn, { advice: [{ seat: 'p1', text: 'For Ada alone.' }], reviews: 0 }, T0 + HOUR_MS);
    expect(await find({ userId: 'bob', id: ID })).toBeUndefined();
    expect(await find({ userId: 'ada', id: 'b'.repeat(64) })).toBeUndefined();
  });
}
