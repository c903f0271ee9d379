import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { fakeClock } from '../../test/support/fake-clock';
import { KIB, MIB, startUploads } from '../../test/support/uploads';
import { ByteBudget } from '../lib/byte-budget';
import { Turns } from '../lib/turns';
import { createBodyReader } from './body-bytes';

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

  it('come piece by piece where they are many, and everything else runs in between', async () => {
    const reader = createBodyReader(new ByteBudget(64 * MIB), fakeClock(), new Turns(fakeClock(), () => 0));
    let sent = 0;
    const pieces = function* () {
      for (; sent < 20; sent += 1) yield Buffer.alloc(64 * KIB);
    };
    const request = Readable.from(pieces()) as IncomingMessage;
    const over = reader.read({ request, declaredBytes: 20 * 64 * KIB, userId: 'ann' }, (bytes) => bytes.length);
    const steps: number[] = [];
    for (let before = sent; before < 20; before = sent) {
      await turn();
      steps.push(sent - before);
    }
    // The first two are not many yet, and one is read ahead.
    expect(Math.max(...steps)).toBeLessThanOrEqual(3);
    expect(await over).toBe(20 * 64 * KIB);
  });

  it('may be none', async () => {
    const { upload } = startUploads();
    const { stream, over } = upload();
    stream.end();
    expect(await over).toHaveLength(0);
  });
});
