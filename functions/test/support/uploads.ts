import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { createBodyReader } from '../../src/http/body-bytes';
import { ByteBudget } from '../../src/lib/byte-budget';
import { Turns } from '../../src/lib/turns';
import { fakeClock } from './fake-clock';

/** Bytes. */
export const KIB = 1024;
/** Bytes. */
export const MIB = 1024 * KIB;
/** No room for it, … */
export const BUSY = { refused: true, code: 'busy', headers: { 'retry-after': '5' } };
/** … more than any may have, … */
export const TOO_LARGE = { refused: true, code: 'payload_too_large' };
/** … not there in time. */
export const TOO_SLOW = {
  refused: true,
  code: 'request_timeout',
  text: 'Request body not received within 30 seconds',
  headers: { connection: 'close' },
};

/** A reader, and bodies that come as the test says. */
export function startUploads(memoryBytes = 64 * MIB) {
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
