import { recorded, spent } from '../../test/support/recorded-run';
import { applyEvents } from './apply-event';
import { callWords, costWords, paceOf, seconds } from './call-words';
import { NO_RUN } from './run-state';

const EVENTS = recorded();

/** The state of a call after so many events. */
function wordsAfter(count: number, id: string): string {
  const state = applyEvents(NO_RUN, EVENTS.slice(0, count));
  const call = state.calls.get(id);
  if (!call) throw new Error(`no call ${id}`);
  return callWords(call, state.atMs).text;
}

describe('how a call stands', () => {
  it.each([
    [5, 'r1.p1', 'Waiting'],
    [8, 'r1.p1', 'Thinking'],
    [10, 'r1.p1', 'Writing'],
    [16, 'r1.p1', 'Writing, about 7 tokens/s'],
    [41, 'r1.p1', 'Done in 1.1 s'],
    [11, 'r1.p2', 'Trying again soon: overloaded'],
    [41, 'r1.p3', 'Failed: not found'],
    [41, 'r2.p2', 'Cut off: too slow'],
  ])('after %i events %s: %s', (count, id, words) => {
    expect(wordsAfter(count, id)).toBe(words);
  });

  it('has the pace that was reported once it is over', () => {
    const attempt = {
      attempt: 1,
      state: 'done',
      startedAtMs: 0,
      firstAtMs: 1_000,
      endedAtMs: 3_000,
      text: '',
    } as const;
    expect(paceOf({ ...attempt, spend: spent(120) }, 9_999)).toBe(60);
  });
});

describe('what was paid', () => {
  it.each([
    [undefined, 'platform', 'nothing'],
    [spent(1, 0), 'platform', 'nothing'],
    [spent(1, 4_200_000), 'platform', '$0.00420'],
    [{ ...spent(1, 4_200_000), estimated: true }, 'platform', '$0.00420 (estimated)'],
    [{ ...spent(1, 0), priced: false }, 'platform', 'not priced'],
    [spent(1, 0), 'router', 'billed by your router'],
  ] as const)('%j at the %s: %s', (spend, source, words) => {
    expect(costWords(spend, source)).toBe(words);
  });
});

it.each([
  [0, '0.0 s'],
  [6_149, '6.1 s'],
  [59_600, '60 s'],
])('%i ms are %s', (ms, words) => {
  expect(seconds(ms)).toBe(words);
});
