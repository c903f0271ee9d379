import { fakeClock } from '../../test/support/fake-clock';
import type { TracedEvent, TraceEvent } from './trace-event';
import { createTraceRecorder } from './trace-recorder';

const PIECE_MAX = 16_384;

function record() {
  const clock = fakeClock();
  const events: TracedEvent[] = [];
  const startedAtMs = clock.nowMs();
  const { observe, end } = createTraceRecorder(clock, startedAtMs, (event) => events.push(event));
  const write = (call: string, text: string, attempt = 1): void => observe({ type: 'text', call, attempt, text });
  return { clock, events, observe, end, write };
}

const DONE: TraceEvent = { type: 'call', state: 'done', call: 'r1.p1', attempt: 1 };

function textsOf(events: readonly TracedEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'text' || event.type === 'answer' ? [event.text] : []));
}

describe('createTraceRecorder', () => {
  it('numbers events from 0 and says when they happened', async () => {
    const { clock, events, observe } = record();
    observe({ type: 'limitation', text: 'one' });
    await clock.advance(70);
    observe({ type: 'limitation', text: 'two' });
    expect(events).toEqual([
      { type: 'limitation', text: 'one', seq: 0, atMs: 0 },
      { type: 'limitation', text: 'two', seq: 1, atMs: 70 },
    ]);
  });

  it('gives the first piece of a text at once, and joins the others for 40 ms', async () => {
    const { clock, events, write } = record();
    write('r1.p1', 'A ');
    write('r1.p1', 'tomato ');
    await clock.advance(39);
    write('r1.p1', 'is ');
    expect(textsOf(events)).toEqual(['A ']);
    await clock.advance(1);
    write('r1.p1', 'a ');
    await clock.advance(40);
    expect(events).toEqual([
      { type: 'text', call: 'r1.p1', attempt: 1, text: 'A ', seq: 0, atMs: 0 },
      { type: 'text', call: 'r1.p1', attempt: 1, text: 'tomato is ', seq: 1, atMs: 40 },
      { type: 'text', call: 'r1.p1', attempt: 1, text: 'a ', seq: 2, atMs: 80 },
    ]);
  });

  it('joins the texts of calls, and the answer, each for itself', async () => {
    const { clock, events, write, observe } = record();
    for (const word of ['one ', 'two ', 'three ']) {
      write('r1.p1', word);
      write('r1.p2', word.toUpperCase());
      observe({ type: 'answer', text: `(${word})` });
    }
    await clock.advance(40);
    expect(textsOf(events)).toEqual(['one ', 'ONE ', '(one )', 'two three ', 'TWO THREE ', '(two )(three )']);
  });

  it('gives out what a call has written before anything else that is told of it, and nothing of other calls', () => {
    const { events, write, observe } = record();
    for (const word of ['one ', 'two ']) {
      write('r1.p1', word);
      write('r1.p2', word.toUpperCase());
    }
    observe(DONE);
    expect(events.map((event) => ('text' in event ? event.text : event.type))).toEqual([
      'one ',
      'ONE ',
      'two ',
      'call',
    ]);
  });

  it('gives out everything before an event that is of no call', () => {
    const { events, write, observe } = record();
    for (const word of ['one ', 'two ']) {
      write('r1.p1', word);
      observe({ type: 'answer', text: word.toUpperCase() });
    }
    observe({ type: 'limitation', text: 'slow' });
    expect(textsOf(events)).toEqual(['one ', 'ONE ', 'two ', 'TWO ']);
    expect(events.at(-1)).toMatchObject({ type: 'limitation', seq: 4 });
  });

  it('does not join what two attempts wrote', () => {
    const { events, write, observe } = record();
    write('r1.p1', 'one ');
    write('r1.p1', 'two ');
    observe({ type: 'call', state: 'started', call: 'r1.p1', attempt: 2 });
    write('r1.p1', 'again', 2);
    expect(events.map((event) => ('attempt' in event ? event.attempt : undefined))).toEqual([1, 1, 2, 2]);
  });

  it('holds back no more than 16,384 characters of a text', () => {
    const { events, write } = record();
    write('r1.p1', 'a');
    for (let written = 0; written < PIECE_MAX; written += 1_024) write('r1.p1', 'b'.repeat(1_024));
    expect(textsOf(events).map(({ length }) => length)).toEqual([1, PIECE_MAX]);
  });

  it('gives out the rest at its end, and leaves no timer and no event behind', () => {
    const { clock, events, write, end } = record();
    write('r1.p1', 'one ');
    write('r1.p1', 'two ');
    expect(clock.pending).toBe(1);
    end();
    write('r1.p1', 'three ');
    expect(textsOf(events)).toEqual(['one ', 'two ']);
    expect(clock.pending).toBe(0);
  });

  it('leaves no timer behind for a call that is over', () => {
    const { clock, write, observe } = record();
    write('r1.p1', 'one ');
    write('r1.p1', 'two ');
    observe(DONE);
    expect(clock.pending).toBe(0);
  });
});
