import { recorded } from '../../../test/support/recorded-run';
import { applyEvents } from '../../run/apply-event';
import { type Call, NO_RUN } from '../../run/run-state';
import { barsOf, rowsOf, spanOf } from './timeline-bars';

const EVENTS = recorded();
const whole = applyEvents(NO_RUN, EVENTS);

function callsOf(...ids: string[]): Call[] {
  return ids.flatMap((id) => whole.calls.get(id) ?? []);
}

describe('the timeline', () => {
  it('ends with the run, and while that goes on at a round time', () => {
    expect(spanOf(whole, 9_999)).toBe(4_000);
    expect([0, 4_999, 5_000, 61_000, 2_000_000].map((elapsedMs) => spanOf(NO_RUN, elapsedMs))).toEqual([
      5_000, 5_000, 10_000, 90_000, 2_000_000,
    ]);
  });

  it('has a bar for each call, with marks where it was put and where its text began', () => {
    // Queued at 200 ms, put at 500, first text at 800, over at 1,600.
    expect(barsOf(callsOf('r1.p1'), 4_000, 4_000)).toEqual([
      { id: 'r1.p1', state: 'done', from: 0.05, length: 0.35, waited: 300 / 1_400, first: 600 / 1_400 },
    ]);
  });

  it('draws a call that goes on up to now', () => {
    const state = applyEvents(NO_RUN, EVENTS.slice(0, 6));
    const call = state.calls.get('r1.p2');
    expect(barsOf(call ? [call] : [], 800, 5_000)).toEqual([
      { id: 'r1.p2', state: 'queued', from: 0.06, length: 0.1, waited: 1 },
    ]);
  });

  it('puts calls that overlap one below the other', () => {
    const rows = rowsOf(callsOf('r1.p1', 'r1.p2', 'r2.p1'));
    expect(rows.map((row) => row.map(({ id }) => id))).toEqual([['r1.p1', 'r2.p1'], ['r1.p2']]);
  });
});
