import type { IncomingMessage } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { fakeClock } from '../../test/support/fake-clock';
import { ByteBudget } from '../lib/byte-budget';
import { Turns } from '../lib/turns';
import { createBodyReader } from './body-bytes';

const KIB = 1024;
const REST_MS = 50;

/** A reader whose heavy bodies have a rest of 50 ms after them; the users whose bodies were taken are noted. */
function startReader() {
  const clock = fakeClock();
  const memory = new ByteBudget(64 * 1024 * KIB);
  const reader = createBodyReader(memory, clock, new Turns(clock, () => REST_MS));
  const taken: string[] = [];
  const send = (userId: string, size: number): void => {
    const request = Readable.from([Buffer.alloc(size)]) as IncomingMessage;
    void reader.read({ request, declaredBytes: size, userId }, () => taken.push(userId));
  };
  return { clock, memory, taken, send };
}

describe('bodies that take long to parse', () => {
  it('are taken one at a time, with a rest in between; small ones at once', async () => {
    const { clock, taken, send } = startReader();
    send('ann', 64 * KIB + 1);
    send('bob', 64 * KIB + 1);
    await clock.advance(REST_MS - 1);
    expect(taken).toEqual(['ann']);
    send('cay', 64 * KIB);
    await clock.advance(0);
    expect(taken).toEqual(['ann', 'cay']);
    await clock.advance(1);
    expect(taken).toEqual(['ann', 'cay', 'bob']);
  });

  it('are held of the memory until then', async () => {
    const { clock, memory, send } = startReader();
    for (const userId of ['ann', 'bob']) send(userId, 4 * 1024 * KIB);
    await clock.advance(REST_MS - 1);
    expect(memory.hasRoomFor('cay', 30 * 1024 * KIB + 1)).toBe(false);
    await clock.advance(1);
    expect(memory.hasRoomFor('cay', 32 * 1024 * KIB)).toBe(true);
  });
});

const MIB = 1024 * KIB;
const BUSY = { refused: true, code: 'busy', headers: { 'retry-after': '5' } };
const TOO_LARGE = { refused: true, code: 'payload_too_large' };
const TOO_SLOW = {
  refused: true,
  code: 'request_timeout',
  text: 'Request body not received within 30 seconds',
  headers: { connection: 'close' },
};

/** A reader, and bodies that come as the test says. */
function startUploads(memoryBytes = 64 * MIB) {
  const clock = fakeClock();
  const memory = new ByteBudget(memoryBytes);
  const reader = createBodyReader(memory, clock, new Turns(clock, () => 0));
  const upload = (userId = 'ann', declaredBytes = 0) => {
    const stream = new PassThrough();
    const request = stream as unknown as IncomingMessage;
    const state = { result: 'reads' as unknown };
    const over = reader
      .read({ request, declaredBytes, userId }, (bytes) => Buffer.from(bytes))
      .catch((error: Error) => error.message)
      .then((result) => {
        state.result = result;
        return result;
      });
    const write = async (...pieces: Buffer[]): Promise<void> => {
      for (const piece of pieces) stream.write(piece);
      await clock.advance(0);
    };
    return { stream, state, over, write };
  };
  /** The memory that is held, of which `ann` and nobody else has some. */
  const held = (): number => {
    let bytes = 0;
    while (bytes <= memoryBytes / 2 && !memory.hasRoomFor('nobody', (memoryBytes - bytes) / 2)) bytes += 16 * KIB;
    return bytes;
  };
  return { clock, memory, upload, held };
}

describe('the bytes of a body', () => {
  it('are put together in their order, however they come, and given back', async () => {
    const { upload, held, clock } = startUploads();
    const { stream, write, over } = upload();
    const pieces = [10 * KIB, 10 * KIB, 1, 70 * KIB, 3].map((size, index) => Buffer.alloc(size, index + 1));
    await write(...pieces);
    stream.end();
    expect(await over).toEqual(Buffer.concat(pieces));
    expect([held(), clock.pending]).toEqual([0, 0]);
  });

  it('take so much memory: at least 16 KiB, then twice as much each time, at most 4 MiB', async () => {
    const { upload, held } = startUploads();
    const { stream, write, over } = upload();
    expect(held()).toBe(0);
    await write(Buffer.alloc(1));
    expect(held()).toBe(16 * KIB);
    await write(Buffer.alloc(16 * KIB - 1));
    expect(held()).toBe(16 * KIB);
    await write(Buffer.alloc(1));
    expect(held()).toBe(32 * KIB);
    await write(Buffer.alloc(112 * KIB - 1));
    expect(held()).toBe(128 * KIB);
    await write(Buffer.alloc(3 * MIB));
    await write(Buffer.alloc(MIB - 128 * KIB));
    expect(held()).toBe(4 * MIB);
    stream.end();
    expect(await over).toHaveLength(4 * MIB);
    expect(held()).toBe(0);
  });

  it('may be none', async () => {
    const { upload } = startUploads();
    const { stream, over } = upload();
    stream.end();
    expect(await over).toHaveLength(0);
  });
});

describe('a body that is too large', () => {
  it('is read on to its end, holding nothing, so that its client sees the refusal', async () => {
    const { upload, held } = startUploads();
    const { stream, write, over, state } = upload();
    await write(Buffer.alloc(4 * MIB), Buffer.alloc(1));
    expect([state.result, held()]).toEqual(['reads', 0]);
    await write(Buffer.alloc(KIB));
    expect(state.result).toBe('reads');
    stream.end();
    expect(await over).toMatchObject(TOO_LARGE);
  });

  it('is refused after 32 MiB, whether it ends or not', async () => {
    const { upload } = startUploads();
    const { write, state } = upload();
    const piece = Buffer.alloc(16 * MIB);
    await write(piece, piece);
    expect(state.result).toBe('reads');
    await write(Buffer.alloc(1));
    expect(state.result).toMatchObject(TOO_LARGE);
  });

  it('is not read at all where it says so: more than 32 MiB', async () => {
    const { upload } = startUploads();
    expect(await upload('ann', 32 * MIB + 1).over).toMatchObject(TOO_LARGE);
    const { stream, over, write } = upload('ann', 32 * MIB);
    await write(Buffer.from('7'));
    stream.end();
    expect(await over).toEqual(Buffer.from('7'));
  });
});

describe('a body without room', () => {
  it('is refused before it is read where it says how long it is, of which 4 MiB count at most', async () => {
    const { upload } = startUploads(8 * MIB);
    expect(upload('ann', 5 * MIB).state.result).toBe('reads');
    const { upload: fewer, clock } = startUploads(8 * MIB - 1);
    expect(await fewer('ann', 4 * MIB).over).toMatchObject(BUSY);
    expect(clock.pending).toBe(0);
  });

  it('is refused as soon as what came has none, and lets go of it', async () => {
    const { upload, held } = startUploads(64 * KIB);
    const { write, over, state } = upload();
    await write(Buffer.alloc(32 * KIB));
    expect(state.result).toBe('reads');
    await write(Buffer.alloc(1));
    expect(await over).toMatchObject(BUSY);
    expect(held()).toBe(0);
  });
});

describe('a body that does not come', () => {
  it('is refused after 30 seconds, and its connection is of no more use', async () => {
    const { upload, clock, held } = startUploads();
    const { write, over, state } = upload();
    await write(Buffer.alloc(KIB));
    await clock.advance(29_999);
    expect(state.result).toBe('reads');
    await clock.advance(1);
    expect(await over).toEqual(TOO_SLOW);
    expect(held()).toBe(0);
  });

  it('is refused also while it waits for its turn: two of a user are read at a time', async () => {
    const { upload, clock } = startUploads();
    const first = upload();
    await clock.advance(10_000);
    const [second, third, others] = [upload(), upload(), upload('bob')];
    for (const { stream } of [second, third, others]) stream.end('7');
    await clock.advance(0);
    // The second ended, so that the third had its turn; of others nobody waits for anybody.
    expect([second, third, others].map(({ state }) => state.result)).toEqual(Array(3).fill(Buffer.from('7')));
    const stalled = upload();
    const waiting = upload();
    waiting.stream.end('7');
    await clock.advance(19_999);
    expect([first, stalled, waiting].map(({ state }) => state.result)).toEqual(['reads', 'reads', 'reads']);
    await clock.advance(1);
    // The first is given up, and whoever waits is read.
    expect([first, stalled, waiting].map(({ state }) => state.result)).toEqual([TOO_SLOW, 'reads', Buffer.from('7')]);
    const later = [upload(), upload()];
    await clock.advance(10_000);
    expect(stalled.state.result).toEqual(TOO_SLOW);
    await clock.advance(20_000);
    expect(later.map(({ state }) => state.result)).toEqual([TOO_SLOW, TOO_SLOW]);
    expect(clock.pending).toBe(0);
  });

  it('that waited in vain for its turn is refused, too', async () => {
    const { upload, clock } = startUploads();
    const uploads = [upload(), upload(), upload()];
    await clock.advance(30_000);
    expect(uploads.map(({ state }) => state.result)).toEqual([TOO_SLOW, TOO_SLOW, TOO_SLOW]);
  });
});

describe('a client that leaves while it sends a body', () => {
  const LEFT = 'the client went away while sending the body';

  it('is given up, and what it sent is let go', async () => {
    const { upload, held, clock } = startUploads();
    const { stream, write, over } = upload();
    await write(Buffer.alloc(KIB));
    stream.destroy();
    expect(await over).toBe(LEFT);
    expect([held(), clock.pending]).toEqual([0, 0]);
  });

  it('is told with its error where there is one', async () => {
    const { upload } = startUploads();
    const { stream, over } = upload();
    stream.destroy(new Error('reset'));
    expect(await over).toBe('reset');
  });

  it('before its turn came is given up then', async () => {
    const { upload, clock } = startUploads();
    const [first, , third] = [upload(), upload(), upload()];
    third.stream.destroy();
    await clock.advance(0);
    expect(third.state.result).toBe('reads');
    first.stream.end('7');
    await clock.advance(0);
    expect([first.state.result, third.state.result]).toEqual([Buffer.from('7'), LEFT]);
  });
});
