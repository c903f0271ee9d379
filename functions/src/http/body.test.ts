import type { IncomingMessage } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { fakeClock } from '../../test/support/fake-clock';
import { ByteBudget } from '../lib/byte-budget';
import { Turns } from '../lib/turns';
import { createBodyReader } from './body';

const KIB = 1024;
const MIB = 1024 * KIB;
const TOO_LARGE = { code: 'payload_too_large' };

/** A request that carries these bytes, or what is written to `from`. */
function requestOf(from: Readable | Buffer | string, headers: Record<string, string> = {}): IncomingMessage {
  const stream = from instanceof Readable ? from : Readable.from(from.length === 0 ? [] : [Buffer.from(from)]);
  const headersDistinct = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  return Object.assign(stream, { headers, headersDistinct }) as unknown as IncomingMessage;
}

/** A reader, and bodies that come as the test says: blanks, and at the end `7`. */
function startUploads({ memoryBytes = 64 * MIB, restMs = 0 } = {}) {
  const clock = fakeClock();
  const memory = new ByteBudget(memoryBytes);
  const read = createBodyReader(memory, clock, new Turns(clock, () => restMs));
  const upload = (userId = 'ann', declaredBytes = 0) => {
    const stream = new PassThrough();
    const state = { result: 'reads' as unknown };
    const request = requestOf(stream, { 'content-length': String(declaredBytes) });
    const over = read(request, userId)
      .catch((error: Error) => error.message)
      .then((result) => {
        state.result = result;
        return result;
      });
    const write = async (...sizes: number[]): Promise<void> => {
      for (const size of sizes) stream.write(Buffer.alloc(size, ' '));
      await clock.advance(0);
    };
    return { stream, state, over, write };
  };
  /** True if the memory held is between so many bytes and twice as many. */
  const holds = (bytes: number): boolean => {
    const left = (held: number): boolean => memory.hasRoomFor('nobody', (memoryBytes - held) / 2);
    return bytes === 0 ? left(0) : !left(bytes - 2) && left(2 * bytes);
  };
  return { clock, memory, read, upload, holds };
}

describe('a JSON body', () => {
  it('takes at most twice its bytes of memory, and 4 MiB, until it is parsed', async () => {
    const { upload, holds, memory } = startUploads();
    const { stream, over, write } = upload();
    expect(holds(0)).toBe(true);
    for (const [more, sum] of [
      [KIB, KIB],
      [15 * KIB, 16 * KIB],
      [MIB - 16 * KIB, MIB],
    ] as const) {
      await write(more);
      expect(holds(sum)).toBe(true);
    }
    await write(3 * MIB - 1);
    expect(memory.hasRoomFor('nobody', 30 * MIB)).toBe(true);
    stream.end('7');
    expect(await over).toBe(7);
    expect(holds(0)).toBe(true);
  });

  it('is not kept by what listens to its request, which is there as long as the reply is open', async () => {
    const { stream, over } = startUploads().upload();
    stream.end('7');
    await over;
    expect(['data', 'end', 'close'].map((event) => stream.listenerCount(event))).toEqual([0, 0, 0]);
    expect(() => stream.emit('error', new Error('reset'))).not.toThrow();
  });

  it('comes piece by piece where they are many, and everything else runs in between', async () => {
    let sent = 0;
    const pieces = function* () {
      for (; sent < 20; sent += 1) yield Buffer.alloc(64 * KIB, sent === 19 ? '7' : ' ');
    };
    const over = startUploads().read(requestOf(Readable.from(pieces())), 'ann');
    const steps: number[] = [];
    for (let before = sent; before < 20; before = sent) {
      await turn();
      steps.push(sent - before);
    }
    // The first two are not many yet, and one is read ahead.
    expect(Math.max(...steps)).toBeLessThanOrEqual(3);
    await over;
  });

  it('is parsed when its turn comes where that takes long, and held until then; a small one at once', async () => {
    const { clock, memory, upload } = startUploads({ restMs: 50 });
    const [ann, bob] = [upload('ann'), upload('bob')];
    for (const { stream } of [ann, bob]) stream.end(`${' '.repeat(4 * MIB - 1)}7`);
    await clock.advance(49);
    const cay = upload('cay');
    cay.stream.end(`${' '.repeat(64 * KIB - 1)}7`);
    await clock.advance(0);
    expect([ann, bob, cay].map(({ state }) => state.result)).toEqual([7, 'reads', 7]);
    expect(memory.hasRoomFor('cay', 30 * MIB + 1)).toBe(false);
    await clock.advance(1);
    expect([bob.state.result, memory.hasRoomFor('cay', 32 * MIB)]).toEqual([7, true]);
  });
});

describe('a body that is too large', () => {
  it('is read on to its end, holding nothing, so that its client sees the refusal', async () => {
    const { upload, holds } = startUploads();
    const { stream, write, over, state } = upload();
    await write(4 * MIB, 1);
    expect([state.result, holds(0)]).toEqual(['reads', true]);
    stream.end();
    expect(await over).toMatchObject(TOO_LARGE);
  });

  it('is refused after 32 MiB, whether it ends or not', async () => {
    const { write, state } = startUploads().upload();
    await write(16 * MIB, 16 * MIB);
    expect(state.result).toBe('reads');
    await write(1);
    expect(state.result).toMatchObject(TOO_LARGE);
  });

  it('is not read at all where it says so: more than 32 MiB', async () => {
    const { upload } = startUploads();
    const { stream, over } = upload('ann', 32 * MIB + 1);
    expect(await over).toMatchObject(TOO_LARGE);
    expect(stream.readableFlowing).toBeNull();
    const another = upload('ann', 32 * MIB);
    another.stream.end('7');
    expect(await another.over).toBe(7);
  });
});

describe('a client that leaves while it sends a body', () => {
  const LEFT = 'the client went away while sending the body';

  it.each([
    [undefined, LEFT],
    [new Error('reset'), 'reset'],
  ])('is given up, and what it sent is let go: %s', async (error, message) => {
    const { upload, holds, clock } = startUploads();
    const { stream, write, over } = upload();
    await write(KIB);
    stream.destroy(error);
    expect(await over).toBe(message);
    expect([holds(0), clock.pending]).toEqual([true, 0]);
  });
});
