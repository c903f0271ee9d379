import { fakeClock } from '../../test/support/fake-clock';
import { openResponse } from '../../test/support/serve';
import { until } from '../../test/support/until';
import { EventStream } from './event-stream';

const BEAT = { beat: true };
const BEAT_TEXT = `data: ${JSON.stringify(BEAT)}\n\n`;
/** More than the buffers of the operating system take. */
const LARGE = 'x'.repeat(16 * 1024 * 1024);

/** A stream to a client that reads, unless it is told not to. */
async function begin(more: { bridged?: true } = {}) {
  const clock = fakeClock();
  const open = await openResponse();
  const events = new EventStream(open.res, clock, { headers: {}, ...more });
  /** The events that have come, as they came on the wire. */
  const received = (): string[] => open.text().match(/data: [^\n]*\n\n/g) ?? [];
  return { ...open, clock, events, received };
}

/** Resolves when the writes of this turn have been handed over. */
const endOfTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('a stream of events', () => {
  it('hands over in one piece what is written in one turn, but more than 16 KiB at once', async () => {
    const stream = await begin();
    const write = jest.spyOn(stream.res, 'write');
    stream.events.write('a');
    stream.events.write('b');
    expect(write).not.toHaveBeenCalled();
    await endOfTurn();
    stream.events.write('c');
    stream.events.write('x'.repeat(16 * 1024));
    stream.events.write('d');
    stream.events.end();
    await until(() => stream.text().endsWith('0\r\n\r\n'));
    const sizes = write.mock.calls.map(([text]) => String(text).match(/data: ./g));
    expect(sizes).toEqual([
      ['data: a', 'data: b'],
      ['data: c', 'data: x'],
    ]);
    expect(
      stream
        .received()
        .map((event) => event.slice(0, 7))
        .join(' '),
    ).toBe('data: a data: b data: c data: x data: d');
  });

  it('sends its head at once and bridges every silence with a comment, where it is to be bridged', async () => {
    const stream = await begin({ bridged: true });
    await until(() => stream.text().includes('200 OK'));
    const comments = (): number => stream.text().split(': alive\n\n').length - 1;
    await stream.clock.advance(9_999);
    expect(comments()).toBe(0);
    await stream.clock.advance(1);
    await until(() => comments() === 1);
    stream.events.write('x');
    await stream.clock.advance(9_999);
    expect(comments()).toBe(1);
    await stream.clock.advance(10_001);
    await until(() => comments() === 3);
    stream.events.end();
    expect(stream.clock.pending).toBe(0);
  });
});

describe('the heartbeat of a stream', () => {
  it('is written at once, put off by every other event, and repeated after every ten seconds of silence', async () => {
    const stream = await begin();
    const { clock, events, res } = stream;
    events.repeatWhenSilent(BEAT);
    await until(() => stream.received().length === 1);
    const write = jest.spyOn(res, 'write');
    for (let count = 0; count < 5; count += 1) {
      await clock.advance(6_000);
      events.write('word');
    }
    await clock.advance(9_999);
    await endOfTurn();
    expect(write.mock.calls.map(([text]) => text)).toEqual(Array(5).fill('data: word\n\n'));
    for (const more of [1, 10_000]) {
      await clock.advance(more);
      await endOfTurn();
      expect(write.mock.calls.at(-1)).toEqual([BEAT_TEXT]);
    }
    expect(write).toHaveBeenCalledTimes(7);
  });
});

describe('back-pressure', () => {
  it('lasts until the client has caught up, the same for all who ask, and leaves nothing behind', async () => {
    const stream = await begin();
    const { res, client, clock, events } = stream;
    client.pause();
    const listeners = () => [res.listenerCount('drain'), res.listenerCount('close'), clock.pending];
    const before = listeners();
    events.write(LARGE);
    const slow = events.backPressure();
    expect(slow).toBeInstanceOf(Promise);
    expect(events.backPressure()).toBe(slow);
    expect(await Promise.race([slow, clock.advance(1_000).then(() => 'waits')])).toBe('waits');
    client.resume();
    await slow;
    expect(events.backPressure()).toBeUndefined();
    expect(listeners()).toEqual(before);
    // It may come again.
    events.write(LARGE);
    const again = events.backPressure();
    expect(again).toBeInstanceOf(Promise);
    await again;
  });

  it('ends with the client, and ends the client that takes nothing for two minutes', async () => {
    const stream = await begin();
    stream.client.pause();
    stream.events.write(LARGE);
    const slow = stream.events.backPressure();
    await stream.clock.advance(119_999);
    expect(stream.res.destroyed).toBe(false);
    await stream.clock.advance(1);
    expect(stream.res.destroyed).toBe(true);
    await slow;
  });
});
