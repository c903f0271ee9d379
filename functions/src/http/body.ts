import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isRefusal, type Refusal, refuse, refuseBusy } from '../errors';
import type { ByteBudget, ByteShare } from '../lib/byte-budget';
import type { Clock } from '../lib/clock';
import { FairSlots } from '../lib/fair-slots';
import { jsonExcess } from '../lib/json';
import type { Turns } from '../lib/turns';

const BODY_BYTES_MAX = 4 * 1024 * 1024;
/** A larger body is read and dropped up to here, so that a client that writes before it reads sees the 413. */
const DRAIN_BYTES_MAX = 32 * 1024 * 1024;
/** A body must be there this long after its turn to be read could first have come. */
const BODY_TIME_MAX_MS = 30_000;
/** Bodies of one user that are read at once; others stay in their sockets. */
const BODIES_A_USER_MAX = 2;
/** One piece is read of so many large bodies in a turn of the event loop. */
const pieces = new FairSlots(8);
/** A larger one takes a millisecond or more to be parsed, and 40 of them for the largest: these take turns. */
const LIGHT_BYTES_MAX = 64 * 1024;

/** Reads the JSON body of a user's request; anything wrong with it is a refusal. Rejects when the client leaves. */
export type ReadBody = (request: IncomingMessage, userId: string) => Promise<unknown>;

/** Builds the reader of a process. Bytes are counted as they come in, and held of the budget until they are parsed. */
export function createBodyReader(budget: ByteBudget, clock: Clock, heavyWork: Turns): ReadBody {
  const slots = new FairSlots(Number.POSITIVE_INFINITY, { ownMax: BODIES_A_USER_MAX });
  const parse = (bytes: Buffer, owner: string): unknown =>
    bytes.length <= LIGHT_BYTES_MAX
      ? parseBody(bytes)
      : heavyWork.run({ owner, size: bytes.length }, () => parseBody(bytes));

  return async (request, userId) => {
    const encoding = request.headers['content-encoding'];
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return refuse('unsupported_encoding');
    const declaredBytes = Number(request.headersDistinct['content-length']?.[0] ?? 0);
    if (declaredBytes > DRAIN_BYTES_MAX) return refuse('payload_too_large');
    if (!budget.hasRoomFor(userId, Math.min(declaredBytes, BODY_BYTES_MAX))) return refuseBusy();
    const tooLate = new AbortController();
    const cancel = clock.after(BODY_TIME_MAX_MS, () => tooLate.abort());
    const share = budget.shareOf(userId);
    try {
      const release = slots.tryTake(userId) ?? (await slots.wait(userId, tooLate.signal));
      if (!release) return refuseSlow();
      const bytes = await readAll(request, share, tooLate.signal).finally(release);
      return isRefusal(bytes) ? bytes : await parse(bytes, userId);
    } finally {
      cancel();
      share.release();
    }
  };
}

/** Fatal: bytes that are no UTF-8 must not turn into replacement characters inside a prompt. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

function parseBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return refuse('invalid_request', 'Invalid JSON: the body is empty');
  const excess = jsonExcess(bytes);
  if (excess !== undefined) return refuse('invalid_request', `Invalid JSON: ${excess}`);
  try {
    return JSON.parse(UTF_8.decode(bytes));
  } catch {
    return refuse('invalid_request', 'Invalid JSON: the body could not be parsed');
  }
}

/** The rest of the body may still come, so the connection is of no more use. */
function refuseSlow(): Refusal {
  return refuse('request_timeout', 'Request body not received within 30 seconds', { connection: 'close' });
}

/** Reads to the end, also what is of no use any more: a client that writes before it reads must see the reply. */
function readAll(request: IncomingMessage, share: ByteShare, tooLate: AbortSignal): Promise<Buffer | Refusal> {
  return new Promise((resolve, reject) => {
    const gone = (): void => reject(new Error('the client went away while sending the body'));
    // Of one that is gone already no event will come.
    if (request.destroyed) return gone();
    let kept: Buffer | Refusal = Buffer.alloc(0);
    let size = 0;
    const end = (): void => resolve(isRefusal(kept) ? kept : kept.subarray(0, size));
    const drop = (refusal: Refusal): void => {
      kept = refusal;
      share.release();
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (isRefusal(kept)) return;
      const roomy = size > BODY_BYTES_MAX ? refuse('payload_too_large') : withRoom(kept, size, share);
      if (isRefusal(roomy)) drop(roomy);
      else {
        chunk.copy(roomy, size - chunk.length);
        kept = roomy;
      }
    };
    const receive = (chunk: Buffer): void => {
      take(chunk);
      if (size > LIGHT_BYTES_MAX) pauseForTurn(request);
      if (size > DRAIN_BYTES_MAX || (isRefusal(kept) && size <= BODY_BYTES_MAX)) end();
    };
    request.on('data', receive);
    request.once('end', () => {
      // What listens on keeps the bytes for as long as the reply is open.
      request.off('close', gone).off('data', receive).off('error', reject).on('error', ignore);
      end();
    });
    request.once('error', reject);
    request.once('close', gone);
    tooLate.addEventListener('abort', () => {
      drop(refuseSlow());
      end();
    });
  });
}

/** Listener that keeps nothing alive. */
const ignore = (): void => undefined;

/** Lets everything else run before more of a body is read: in one turn all that its socket holds would be. */
function pauseForTurn(request: IncomingMessage): void {
  request.pause();
  void pieces.run(nextTurn).then(() => request.resume());
}

/** A buffer with room for `size` bytes, if there is some: pieces kept one by one would take many times their length. */
function withRoom(buffer: Buffer, size: number, share: ByteShare): Buffer | Refusal {
  if (size <= buffer.length) return buffer;
  const wanted = Math.min(BODY_BYTES_MAX, Math.max(2 * buffer.length, size));
  if (!share.hold(wanted)) return refuseBusy();
  const larger = Buffer.allocUnsafe(wanted);
  buffer.copy(larger);
  return larger;
}

/** Flaw in how a request is framed, found before anything else about it is looked at; undefined when there is none. */
export function framingFlaw({ headers, headersDistinct, httpVersion }: IncomingMessage): Refusal | undefined {
  if (httpVersion === '1.1') {
    if (headers.host === undefined) return refuse('invalid_request', 'Invalid HTTP: the Host header is missing');
    const { expect } = headers;
    if (expect !== undefined && !/^100-continue$/i.test(expect)) return refuse('unknown_expectation');
  }
  const coding = headersDistinct['transfer-encoding'];
  if (coding !== undefined && !/^chunked$/i.test(coding.join())) return refuse('unknown_transfer_coding');
  return undefined;
}
