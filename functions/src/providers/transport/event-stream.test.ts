import { PassThrough, Readable } from 'node:stream';
import { type EventHandling, readEvents, type ServerSentEvent } from './event-stream';

const MIB = 1024 * 1024;
const neverAborted = new AbortController().signal;

/** Reads all events of `pieces`, each piece a read of its own. */
async function eventsOf(...pieces: (string | Uint8Array)[]): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = [];
  await readEvents(
    Readable.from(
      pieces.map((piece) => Buffer.from(piece)),
      { objectMode: false },
    ),
    {
      signal: neverAborted,
      onEvent: ({ event, data }) => {
        events.push(event === undefined ? { data } : { event, data });
        return undefined;
      },
    },
  );
  return events;
}

function ignoring(overrides: Partial<EventHandling> = {}): EventHandling {
  return { signal: neverAborted, onEvent: () => undefined, ...overrides };
}

test('what is kept until an event is whole is told as it grows', async () => {
  const pending: number[] = [];
  const pieces = ['data: ', 'half', ' and half\n', '\n', 'data: 2\n\n', ': hm'].map((piece) => Buffer.from(piece));
  const onPending = (characters: number): number => pending.push(characters);
  await readEvents(Readable.from(pieces, { objectMode: false }), ignoring({ onPending }));
  expect(pending).toEqual([6, 10, 20, 4]);
});

describe('events are read', () => {
  test.each([
    ['LF', 'event: a\ndata: 1\n\ndata: 2\ndata: 3\n\n'],
    ['CRLF', 'event: a\r\ndata: 1\r\n\r\ndata: 2\r\ndata: 3\r\n\r\n'],
    ['CR', 'event: a\rdata: 1\r\rdata: 2\rdata: 3\r\r'],
  ])('with %s line ends, wherever the reads are cut', async (_, text) => {
    const expected = [{ event: 'a', data: '1' }, { data: '2\n3' }];
    expect(await eventsOf(text)).toEqual(expected);
    expect(await eventsOf(...text)).toEqual(expected);
  });

  test('with characters cut between reads', async () => {
    const bytes = Buffer.from('data: é世👋🏽\n\n');
    expect(await eventsOf(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual([{ data: 'é世👋🏽' }]);
  });

  test('without comments, ids, and a byte order mark', async () => {
    expect(await eventsOf('\ufeff: hi\nid: 7\nretry: 10\ndata: 1\n\n:\n\n')).toEqual([{ data: '1' }]);
  });

  test.each(['data: 1\n\ndata: 2\n', 'data: 1\r\n\r\ndata: 2\r\n', 'data: 1\r\rdata: 2\r'])(
    'also when the last blank line is missing: %j',
    async (text) => {
      expect(await eventsOf(text)).toEqual([{ data: '1' }, { data: '2' }]);
    },
  );

  test('but half a last line is not', async () => {
    expect(await eventsOf('data: 1\n\ndata: 2')).toEqual([{ data: '1' }]);
  });
});

describe('a handler that is busy', () => {
  test('pauses the stream and gets the next event only when it is done', async () => {
    const stream = new PassThrough();
    const turns = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const seen: string[] = [];
    const reading = readEvents(stream, {
      signal: neverAborted,
      onEvent: ({ data }) => turns[seen.push(data) - 1]?.promise,
    });
    stream.end('data: 1\n\ndata: 2\n\ndata: 3\n\n');
    for (const [index, turn] of turns.entries()) {
      await new Promise(setImmediate);
      expect(seen).toHaveLength(index + 1);
      expect(stream.isPaused()).toBe(true);
      turn.resolve();
    }
    await reading;
    expect(seen).toEqual(['1', '2', '3']);
  });

  test('still gets what came before the end of the stream', async () => {
    const seen: string[] = [];
    await readEvents(Readable.from([Buffer.from('data: 1\n\ndata: 2\n\ndata: 3\n')], { objectMode: false }), {
      signal: neverAborted,
      onEvent: async ({ data }) => {
        await new Promise(setImmediate);
        seen.push(data);
      },
    });
    expect(seen).toEqual(['1', '2', '3']);
  });

  test('and then rejects, even with nothing, destroys the stream and ends the reading with that', async () => {
    const stream = new PassThrough();
    const reading = readEvents(stream, ignoring({ onEvent: () => Promise.reject(undefined) }));
    stream.write('data: 1\n\n');
    await expect(reading).rejects.toBeUndefined();
    expect(stream.destroyed).toBe(true);
  });
});

describe('stop', () => {
  test('ends the reading; later events are not handed over and the stream is read away', async () => {
    const stream = new PassThrough();
    const seen: string[] = [];
    const reading = readEvents(
      stream,
      ignoring({ onEvent: ({ data }) => (seen.push(data) === 2 ? 'stop' : undefined) }),
    );
    stream.write('data: 1\n\ndata: 2\n\ndata: 3\n\n');
    await reading;
    const ended = new Promise((resolve) => stream.once('end', resolve));
    stream.end('data: 4\n\n');
    await ended;
    expect(seen).toEqual(['1', '2']);
  });
});

describe('the reading fails', () => {
  test('with what the handler throws, and destroys the stream', async () => {
    const stream = new PassThrough();
    const thrown = new Error('handler');
    const seen: string[] = [];
    const onEvent: EventHandling['onEvent'] = ({ data }) => {
      seen.push(data);
      throw thrown;
    };
    const reading = readEvents(stream, ignoring({ onEvent }));
    stream.write('data: 1\n\ndata: 2\n\n');
    await expect(reading).rejects.toBe(thrown);
    expect(stream.destroyed).toBe(true);
    expect(seen).toEqual(['1']);
  });

  test('with network when the stream breaks, and keeps the cause', async () => {
    const stream = new PassThrough();
    const reading = readEvents(stream, ignoring());
    const cause = new Error('reset');
    stream.destroy(cause);
    await expect(reading).rejects.toMatchObject({ kind: 'network', cause });
  });

  test('with network when the stream is closed without an end', async () => {
    const stream = new PassThrough();
    const reading = readEvents(stream, ignoring());
    stream.destroy();
    await expect(reading).rejects.toMatchObject({ kind: 'network' });
  });

  test('with network when the stream was destroyed before', async () => {
    const stream = new PassThrough();
    stream.destroy();
    await expect(readEvents(stream, ignoring())).rejects.toMatchObject({ kind: 'network' });
  });

  test.each([
    ['before', true],
    ['during', false],
  ])('with aborted when the signal is aborted %s the reading, and destroys the stream', async (_, before) => {
    const stream = new PassThrough();
    const controller = new AbortController();
    if (before) controller.abort();
    const reading = readEvents(stream, ignoring({ signal: controller.signal }));
    controller.abort();
    await expect(reading).rejects.toMatchObject({ kind: 'aborted' });
    expect(stream.destroyed).toBe(true);
  });
});

describe('an event without end', () => {
  function pieces(piece: string, count: number): Readable {
    return Readable.from(Array(count).fill(Buffer.from(piece)), { objectMode: false });
  }

  test.each([
    ['of one line', `data: ${'x'.repeat(MIB)}`],
    ['of many lines', `data: ${'x'.repeat(MIB)}\n`],
  ])('%s is a protocol fault beyond 4 MiB, and the stream is destroyed', async (_, piece) => {
    const stream = pieces(piece, 6);
    await expect(readEvents(stream, ignoring())).rejects.toMatchObject({ kind: 'protocol' });
    expect(stream.destroyed).toBe(true);
  });

  test('or not: a stream of more than 64 Mi characters is too long', async () => {
    const stream = Readable.from(Array(66).fill(Buffer.from(`:${'x'.repeat(MIB)}\n`)), { objectMode: false });
    await expect(readEvents(stream, ignoring())).rejects.toMatchObject({ kind: 'output_too_long' });
    expect(stream.destroyed).toBe(true);
  });

  test('of 3 MiB is read', async () => {
    const seen: number[] = [];
    const stream = Readable.from([Buffer.from(`data: ${'x'.repeat(3 * MIB)}\n\n`)], { objectMode: false });
    await readEvents(stream, ignoring({ onEvent: ({ data }) => void seen.push(data.length) }));
    expect(seen).toEqual([3 * MIB]);
  });

  test('is no event at all when it is a comment', async () => {
    await expect(readEvents(pieces(`:${'x'.repeat(MIB)}`, 6), ignoring())).resolves.toBeUndefined();
  });
});
