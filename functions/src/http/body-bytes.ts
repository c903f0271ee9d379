import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isRefusal, type Refusal, refuse, refuseBusy } from '../errors';
import type { ByteBudget, ByteShare } from '../lib/byte-budget';
import type { Clock } from '../lib/clock';
import { FairSlots } from '../lib/fair-slots';
import type { Turns } from '../lib/turns';

/** The largest body we parse. */
const BODY_BYTES_MAX = 4 * 1024 * 1024;
/** A larger body is read and dropped up to here, so that a client that writes before it reads sees the 413. */
const DRAIN_BYTES_MAX = 32 * 1024 * 1024;
/** A body must be there this long after its turn to be read could first have come. */
const BODY_TIME_MAX_MS = 30_000;
/** Bodies of one user that are read at once; others stay in their sockets. */
const BODIES_A_USER_MAX = 2;
const BUFFER_BYTES_MIN = 16 * 1024;
/** One piece is read of so many large bodies in a turn of the event loop. */
const pieces = new FairSlots(8);
/** A larger one takes a millisecond or more to be parsed, and 40 of them for the largest: these take turns. */
const LIGHT_BYTES_MAX = 64 * 1024;

/** A body that is yet to be read. */
export interface UnreadBody {
  readonly request: IncomingMessage;
  /** Length that its head announces; 0 without one. */
  readonly declaredBytes: number;
  readonly userId: string;
}

/** Reader of the bodies of a process. */
export interface BodyReader {
  /**
   * Reads a whole body and hands it to `take`, which must not keep it: until it returns the bytes are held of the budget.
   * A refusal when it is too large, too slow, or when there is no room for it. Rejects when the client leaves.
   */
  read<T>(body: UnreadBody, take: (bytes: Buffer) => T): Promise<T | Refusal>;
}

/**
 * Builds the reader of a process. Bytes are counted as they come in, not as they are announced: nobody can keep others
 * out with a promise.
 */
export function createBodyReader(budget: ByteBudget, clock: Clock, heavyWork: Turns): BodyReader {
  const turns = new Map<string, { readonly slots: FairSlots; bodies: number }>();

  return {
    read: async (body, take) => {
      const { declaredBytes, userId } = body;
      if (declaredBytes > DRAIN_BYTES_MAX) return refuse('payload_too_large');
      if (!budget.hasRoomFor(userId, Math.min(declaredBytes, BODY_BYTES_MAX))) return refuseBusy();
      const tooLate = new AbortController();
      const cancel = clock.after(BODY_TIME_MAX_MS, () => tooLate.abort());
      const share = budget.shareOf(userId);
      try {
        const bytes = await inTurn(userId, tooLate.signal, () => readAll(body, share, tooLate.signal));
        if (isRefusal(bytes)) return bytes;
        if (bytes.length <= LIGHT_BYTES_MAX) return take(bytes);
        return await heavyWork.run({ owner: userId, size: bytes.length }, () => take(bytes));
      } finally {
        cancel();
        share.release();
      }
    },
  };

  async function inTurn(
    userId: string,
    tooLate: AbortSignal,
    read: () => Promise<Buffer | Refusal>,
  ): Promise<Buffer | Refusal> {
    const turn = turns.get(userId) ?? { slots: new FairSlots(BODIES_A_USER_MAX), bodies: 0 };
    turns.set(userId, turn);
    turn.bodies += 1;
    try {
      const release = turn.slots.tryTake() ?? (await turn.slots.wait('', tooLate));
      return release ? await read().finally(release) : refuseSlow();
    } finally {
      turn.bodies -= 1;
      if (turn.bodies === 0) turns.delete(userId);
    }
  }
}

/** The rest of the body may still come, so the connection is of no more use. */
function refuseSlow(): Refusal {
  return refuse('request_timeout', 'Request body not received within 30 seconds', { connection: 'close' });
}

/** Reads to the end, also what is of no use any more: a client that writes before it reads must see the reply. */
function readAll(unread: UnreadBody, share: ByteShare, tooLate: AbortSignal): Promise<Buffer | Refusal> {
  const { request, declaredBytes } = unread;
  return new Promise((resolve, reject) => {
    const gone = (): void => reject(new Error('the client went away while sending the body'));
    // Of one that is gone already no event will come.
    if (request.destroyed) return gone();
    const body = new GrowingBody(share, declaredBytes);
    request.on('data', (chunk: Buffer) => {
      body.add(chunk);
      if (body.size > LIGHT_BYTES_MAX) pauseForTurn(request);
      if (body.size > DRAIN_BYTES_MAX || (body.refusal && body.size <= BODY_BYTES_MAX)) resolve(body.result());
    });
    request.once('end', () => {
      // It follows every end, and would make an error for nothing.
      request.off('close', gone);
      resolve(body.result());
    });
    request.once('error', reject);
    request.once('close', gone);
    tooLate.addEventListener('abort', () => {
      body.refuse(refuseSlow());
      resolve(body.result());
    });
  });
}

/** Lets everything else run before more of a body is read: in one turn all that its socket holds would be. */
function pauseForTurn(request: IncomingMessage): void {
  request.pause();
  void pieces.run(nextTurn).then(() => request.resume());
}

/**
 * Received part of a body, in one buffer: pieces kept one by one would take many times their length. A buffer of the
 * declared length is taken at once and never copied: what nobody has written to yet takes no memory.
 */
class GrowingBody {
  readonly #share: ByteShare;
  #buffer: Buffer;
  /** Bytes of the buffer that the budget has granted. */
  #grantedBytes = 0;
  /** Bytes that came, kept or not. */
  size = 0;
  /** Set once nothing is kept any more. */
  refusal: Refusal | undefined;

  constructor(share: ByteShare, declaredBytes: number) {
    this.#share = share;
    this.#buffer = Buffer.allocUnsafe(declaredBytes > BODY_BYTES_MAX ? 0 : declaredBytes);
  }

  add(chunk: Buffer): void {
    const start = this.size;
    this.size += chunk.length;
    if (this.refusal) return;
    if (this.size > BODY_BYTES_MAX) this.refuse(refuse('payload_too_large'));
    else if (this.#fits()) chunk.copy(this.#buffer, start);
    else this.refuse(refuseBusy());
  }

  refuse(refusal: Refusal): void {
    this.refusal = refusal;
    this.#buffer = Buffer.alloc(0);
    this.#share.release();
  }

  result(): Buffer | Refusal {
    return this.refusal ?? this.#buffer.subarray(0, this.size);
  }

  /** Makes room for `size` bytes, if there is some. */
  #fits(): boolean {
    if (this.size <= this.#grantedBytes) return true;
    const wanted = Math.max(BUFFER_BYTES_MIN, 2 * this.#grantedBytes, this.size);
    const granted = Math.min(BODY_BYTES_MAX, wanted);
    if (!this.#share.hold(granted)) return false;
    this.#grantedBytes = granted;
    if (this.size > this.#buffer.length) this.#buffer = resized(this.#buffer, granted);
    return true;
  }
}

function resized(buffer: Buffer, length: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(length);
  buffer.copy(larger);
  return larger;
}
