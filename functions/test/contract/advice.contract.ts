import { T0 } from '../support/store-records';
import type { CurrentStore } from './store.contract';

const ID = 'a'.repeat(64);
const HOUR_MS = 3_600_000;

/** `AdviceStore`. */
export function adviceContract(current: CurrentStore): void {
  const turn = { userId: 'ada', id: ID };
  const find = (of = turn, nowMs = T0) => current().findAdvice(of, nowMs);

  it('is found as it was kept last, until its time is over and not at that moment', async () => {
    expect(await find()).toBeUndefined();
    await current().keepAdvice(turn, [{ seat: 'p1', text: 'Old.', shown: 'Older.' }], T0 + 1);
    const advice = [
      { seat: 'p1', text: 'Look it up: `a.b`, ü, "__x__".' },
      { seat: 'p2', text: 'Wait.', shown: 'W.' },
    ];
    await current().keepAdvice(turn, advice, T0 + HOUR_MS);
    expect(await find(turn, T0 + HOUR_MS - 1)).toEqual(advice);
    expect(await find(turn, T0 + HOUR_MS)).toBeUndefined();
  });

  it('is kept where there is none, which is another thing than nothing kept', async () => {
    await current().keepAdvice(turn, [], T0 + HOUR_MS);
    expect(await find()).toEqual([]);
  });

  it('of one user is not found by another, whatever id that user asks with', async () => {
    await current().keepAdvice(turn, [{ seat: 'p1', text: 'For Ada alone.' }], T0 + HOUR_MS);
    expect(await find({ userId: 'bob', id: ID })).toBeUndefined();
    expect(await find({ userId: 'ada', id: 'b'.repeat(64) })).toBeUndefined();
  });
}
