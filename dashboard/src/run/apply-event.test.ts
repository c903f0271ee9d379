import { recorded } from '../../test/support/recorded-run';
import { applyEvent, applyEvents } from './apply-event';
import type { RunEvent } from './run-events';
import { NO_RUN, type RunState } from './run-state';
import { usedText } from './used-text';

const EVENTS = recorded();
const whole = applyEvents(NO_RUN, EVENTS);
const SHUFFLES = 300;

describe('a run, made of its events', () => {
  it('has the texts of each attempt apart, and those that count', () => {
    expect(whole.calls.get('r1.p2')?.attempts.map(({ state, text }) => [state, text])).toEqual([
      ['retry', ''],
      ['done', 'It is a vegetable.'],
    ]);
    expect(usedText(whole, 'r2.p1')).toBe('A tomato is a berry.');
    expect(whole.answer).toBe('It is **a berry**.');
  });

  it('knows the calls of each seat in their order, and how they ended', () => {
    const states = ['p1', 'p2', 'p3', 'arbiter'].map((seat) =>
      whole.callIds.get(seat)?.map((id) => `${id} ${whole.calls.get(id)?.state}`),
    );
    expect(states).toEqual([
      ['r1.p1 done', 'r2.p1 done'],
      ['r1.p2 done', 'r2.p2 cut'],
      ['r1.p3 failed'],
      ['answer done'],
    ]);
  });

  it('adds up what attempts consumed, and at its end takes the sums of the ledger', () => {
    const beforeEnd = applyEvents(NO_RUN, EVENTS.slice(0, -1));
    expect(beforeEnd.spent).toEqual({ promptTokens: 70, completionTokens: 23, costNanoUsd: 46_000, calls: 7 });
    expect(whole.spent).toEqual({ promptTokens: 50, completionTokens: 23, costNanoUsd: 46_000, calls: 7 });
  });

  it('keeps the sums of its calls where the server stopped before it could add up', () => {
    const nothing = { promptTokens: 0, completionTokens: 0, costNanoUsd: 0, calls: 0 };
    const end = { type: 'end' as const, outcome: 'failed' as const, unpricedModels: [], atMs: 9_000 };
    const lost = applyEvents(NO_RUN, [...EVENTS.slice(0, -1), { ...end, ...nothing, seq: EVENTS.length - 1 }]);
    expect(lost.spent).toEqual({ promptTokens: 70, completionTokens: 23, costNanoUsd: 46_000, calls: 7 });
  });

  it('is changed by each event once, however often it comes', () => {
    const twice = EVENTS.flatMap((event, at) => [event, ...EVENTS.slice(0, at)]);
    expect(applyEvents(NO_RUN, twice)).toEqual(whole);
  });

  it('stands still at a gap, says so, and goes on when what was missing comes', () => {
    const [before, missing, ...after] = [EVENTS.slice(0, 9), EVENTS.slice(9, 12), EVENTS.slice(12)];
    const gap = applyEvents(applyEvents(NO_RUN, before), after.flat());
    expect(gap.hasGap).toBe(true);
    expect({ ...gap, hasGap: false }).toEqual(applyEvents(NO_RUN, before));
    expect(applyEvents(gap, [...missing, ...after.flat()])).toEqual(whole);
  });

  it('comes to the same from any order in which events come, if they come again until they fit', () => {
    const random = lehmer(7);
    for (let round = 0; round < SHUFFLES; round += 1) {
      let state: RunState = NO_RUN;
      while (!state.end) {
        const from = Math.max(0, state.nextSeq - Math.floor(random() * 4));
        const batch = EVENTS.slice(from, from + 12).toSorted(() => random() - 0.5);
        state = applyEvents(state, batch);
      }
      expect(state).toEqual(whole);
    }
  });

  it('passes over events that it does not know, and those of calls that it does not know', () => {
    const odd = [
      { type: 'from-a-newer-server', seq: 0, atMs: 0 },
      { type: 'text', call: 'nobody', attempt: 1, text: 'x', seq: 1, atMs: 5 },
      { type: 'call', state: 'done', call: 'nobody', attempt: 1, seq: 2, atMs: 9 },
    ] as unknown as RunEvent[];
    expect(applyEvents(NO_RUN, odd)).toEqual({ ...NO_RUN, nextSeq: 3, atMs: 9 });
  });

  it('is another object after a change, and the same one after none', () => {
    const [first] = EVENTS;
    if (!first) throw new Error('no events');
    const state = applyEvent(NO_RUN, first);
    expect(state).not.toBe(NO_RUN);
    expect(applyEvent(state, first)).toBe(state);
  });
});

/** Numbers that look random and are always the same. */
function lehmer(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
