import { ByteBudget } from '../lib/byte-budget';
import { boundTrace } from './trace-bound';
import type { TraceEvent } from './trace-event';

const MI = 2 ** 20;
const SAID: TraceEvent = {
  type: 'limitation',
  text: 'The trace of this run is too long: from here on it is without the texts of models',
};
const text = (length: number): TraceEvent => ({ type: 'text', call: 'r1.p1', attempt: 1, text: 'x'.repeat(length) });
const answer = (length: number): TraceEvent => ({ type: 'answer', text: 'x'.repeat(length) });
const round: TraceEvent = { type: 'round', round: 1, of: 1, purpose: 'draft', label: 'Drafts' };

/** A bound, and the memory it may hold. */
function begin(bytes = 2 ** 30) {
  const memory = new ByteBudget(bytes);
  const share = memory.shareOf('ada');
  return { bound: boundTrace(share), share, memory };
}

describe('boundTrace', () => {
  it('leaves a trace of some megabytes as it is', () => {
    const { bound } = begin();
    for (const event of [text(3 * MI), text(3 * MI), answer(3 * MI), round]) expect(bound(event)).toEqual([event]);
  });

  it('leaves pieces of text out beyond 12 Mi characters, says so once, and has room for the answer', () => {
    const { bound } = begin();
    for (let piece = 0; piece < 11; piece += 1) expect(bound(text(MI))).toHaveLength(1);
    expect(bound(text(MI))).toEqual([SAID]);
    expect(bound(text(MI))).toEqual([]);
    expect(bound(round)).toEqual([round]);
    expect(bound(answer(2 * MI))).toHaveLength(1);
  });

  it('cuts the texts of what is no piece beyond 16 Mi characters, and leaves all else', () => {
    const { bound } = begin();
    for (let piece = 0; piece < 5; piece += 1) bound(answer(3 * MI));
    const standing = { type: 'standing', seat: 'p1', call: 'r1.p1', round: 1, text: 'y'.repeat(2 * MI) } as const;
    expect(bound(standing)).toEqual([SAID, { ...standing, text: `${'y'.repeat(2_000)}…` }]);
    const verdict = { type: 'verdict', seat: 'arbiter', explanation: 'z'.repeat(2 * MI), degraded: [] } as const;
    expect(bound(verdict)).toEqual([{ ...verdict, explanation: `${'z'.repeat(2_000)}…` }]);
    expect(bound(round)).toEqual([round]);
  });

  it('takes no single text above 4 Mi characters, which no store could take at once', () => {
    const { bound } = begin();
    expect(bound(text(4 * MI))).toEqual([SAID]);
    expect(bound(text(9))).toEqual([text(9)]);
  });

  it('holds two bytes a character, in steps, and leaves texts out where there is no memory', () => {
    const { bound, share, memory } = begin(3 * MI);
    bound(text(100_000));
    // 256 KiB of 3 MiB are held.
    expect([memory.hasRoomFor('eve', 1.375 * MI), memory.hasRoomFor('eve', 1.38 * MI)]).toEqual([true, false]);
    expect(bound(text(MI))).toEqual([SAID]);
    expect(bound(text(20_000))).toHaveLength(1);
    share.release();
    expect(memory.hasRoomFor('eve', 1.5 * MI)).toBe(true);
  });
});
