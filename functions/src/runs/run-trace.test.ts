import { fakeClock } from '../../test/support/fake-clock';
import { ByteBudget } from '../lib/byte-budget';
import { RunTrace } from './run-trace';
import type { TracedEvent, TraceEvent } from './trace-event';

const MI = 2 ** 20;
const SAID = 'The trace of this run is too long: from here on it is without the texts of models';
const DONE: TraceEvent = { type: 'call', state: 'done', call: 'r1.p1', attempt: 1 };
const text = (call: string, words: string): TraceEvent => ({ type: 'text', call, attempt: 1, text: words });
const answer = (words: string): TraceEvent => ({ type: 'answer', text: words });
const limitation = (words: string): TraceEvent => ({ type: 'limitation', text: words });

function begin(bytes = 2 ** 30) {
  const clock = fakeClock();
  const events: TracedEvent[] = [];
  const budget = new ByteBudget(bytes);
  const memory = budget.shareOf('ada');
  const trace = new RunTrace({ clock, startedAtMs: clock.nowMs(), memory, show: (event) => events.push(event) });
  const observe = (...told: readonly TraceEvent[]): void => {
    for (const event of told) trace.observe(event);
  };
  const said = () => events.map((event) => ('text' in event ? (event.text ?? '') : event.type));
  return { clock, events, trace, observe, said, budget, memory };
}

describe('RunTrace', () => {
  it('numbers events from 0, says when they happened, and wakes who waits for them', async () => {
    const { clock, events, observe, trace } = begin();
    const changed = trace.changed(new AbortController().signal);
    observe(limitation('one'));
    await changed;
    await clock.advance(70);
    observe(limitation('two'));
    expect(events).toEqual([
      { type: 'limitation', text: 'one', seq: 0, atMs: 0 },
      { type: 'limitation', text: 'two', seq: 1, atMs: 70 },
    ]);
    expect(trace.slice(1, 9).map((event) => JSON.parse(event))).toEqual(events.slice(1));
  });

  it('gives the first piece of a text at once, and joins what follows within 40 ms, each text for itself', async () => {
    const { clock, observe, said } = begin();
    observe(text('r1.p1', 'A '), text('r1.p1', 'tomato '), text('r1.p2', 'No'), answer('Yes'));
    await clock.advance(39);
    observe(text('r1.p1', 'is '));
    expect(said()).toEqual(['A ']);
    await clock.advance(1);
    observe(text('r1.p1', 'a '));
    await clock.advance(40);
    expect(said()).toEqual(['A ', 'tomato is ', 'No', 'Yes', 'a ']);
    await clock.advance(40);
    expect(clock.pending).toBe(0);
  });

  it('holds back no more than 16,384 characters', () => {
    const { observe, said } = begin();
    observe(text('r1.p1', 'a'));
    for (let written = 0; written < 16_384; written += 1_024) observe(text('r1.p1', 'b'.repeat(1_024)));
    expect(said().map(({ length }) => length)).toEqual([1, 16_384]);
  });

  it('leaves pieces of text out beyond 12 Mi characters, cuts others beyond 16 Mi, and says so once', () => {
    const { observe, said, events } = begin();
    for (let piece = 0; piece < 13; piece += 1) observe(text('r1.p1', 'x'.repeat(MI)));
    expect(said().filter((words) => words === SAID)).toHaveLength(1);
    expect(said()).toHaveLength(12);
    for (let piece = 0; piece < 6; piece += 1) observe(answer('y'.repeat(MI)));
    expect(said()).toHaveLength(16);
    observe({ type: 'standing', seat: 'p1', call: 'r1.p1', round: 1, text: 'z'.repeat(MI) });
    const verdict = { type: 'verdict', seat: 'arbiter', degraded: [] } as const;
    observe({ ...verdict, explanation: 'z'.repeat(MI), analysis: { agreed: ['z'] } });
    expect(events.at(-2)).toMatchObject({ text: `${'z'.repeat(2_000)}…` });
    expect(events.at(-1)).toMatchObject({ explanation: `${'z'.repeat(2_000)}…` });
    expect(events.at(-1)).not.toHaveProperty('analysis');
    observe({ ...verdict, analysis: { agreed: ['z'.repeat(MI)] } });
    expect(events.at(-1)).not.toHaveProperty('analysis');
  });

  it('takes two bytes a character, and leaves texts out where there is no memory', () => {
    const { observe, said, budget, memory } = begin(3 * MI);
    observe(text('r1.p1', 'x'.repeat(MI / 4)), DONE);
    expect([budget.hasRoomFor('eve', 1.24 * MI), budget.hasRoomFor('eve', 1.25 * MI)]).toEqual([true, false]);
    observe(text('r1.p1', 'x'.repeat(MI)), DONE, text('r1.p1', 'short'));
    expect(said().slice(2)).toEqual([SAID, 'call', 'short']);
    memory.release();
    expect(budget.hasRoomFor('eve', 1.5 * MI)).toBe(true);
  });
});
