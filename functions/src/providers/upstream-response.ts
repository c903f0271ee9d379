import type { IncomingMessage } from 'node:http';
import { finished, Readable } from 'node:stream';
import type { ReadableStream, ReadableStreamDefaultReader } from 'node:stream/web';

/** The members below read `stream`; the ambient class declares them as properties, which a subclass may not redefine. */
interface BodyReaders {
  readonly body: ReadableStream<Uint8Array> | null;
  arrayBuffer(): Promise<ArrayBuffer>;
  blob(): Promise<Blob>;
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  clone(): Response;
  formData(): Promise<FormData>;
  json(): Promise<unknown>;
  text(): Promise<string>;
}

type ResponseHead = Omit<Response, keyof BodyReaders> & BodyReaders;
const BaseResponse = Response as unknown as new (body: null, init: ResponseInit) => ResponseHead;

/** A whole body is only ever an error report or one completion; more than this is refused. */
const BODY_MAX_BYTES = 4 * 1024 * 1024;

/**
 * A `Response` whose body is a Node stream: `stream` is read by 'data' events, which cost a third of what web-stream
 * reads cost under the Functions Framework. Read either `stream` or one of the body members, once.
 * `clone` and `formData` throw: nobody here needs them, and the inherited ones would see an empty body.
 */
export class UpstreamResponse extends BaseResponse {
  /** The message itself; it stays paused until somebody reads it. */
  readonly stream: Readable;
  #body: ReadableStream<Uint8Array> | undefined;

  /** Throws when the status or a header is one that `Response` does not accept. */
  constructor(message: IncomingMessage) {
    super(null, {
      status: message.statusCode ?? 0,
      statusText: message.statusMessage ?? '',
      headers: headersOf(message.rawHeaders),
    });
    this.stream = message;
  }

  override get body(): ReadableStream<Uint8Array> {
    this.#body ??= lazyWebStream(this.stream);
    return this.#body;
  }

  override get bodyUsed(): boolean {
    return this.stream.readableDidRead;
  }

  override bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return readAll(this.stream);
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.bytes()).buffer;
  }

  override async blob(): Promise<Blob> {
    return new Blob([await this.bytes()]);
  }

  override async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes());
  }

  override async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  override clone(): never {
    throw new TypeError('UpstreamResponse cannot be cloned');
  }

  override formData(): never {
    throw new TypeError('UpstreamResponse does not parse form data');
  }
}

/** The Node stream behind a response that an SDK handed through. Throws for any other kind of response. */
export function upstreamStream(response: Response): Readable {
  if (response instanceof UpstreamResponse) return response.stream;
  throw new TypeError('the SDK did not return the response of upstreamFetch');
}

function headersOf(rawHeaders: readonly string[]): Headers {
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  }
  return headers;
}

/**
 * SDKs look at `body` of every response (to watch for its collection) without reading it. `Readable.toWeb` would then
 * already pause and drain the stream under the feet of its real reader, so it is called on the first read only.
 */
function lazyWebStream(stream: Readable): ReadableStream<Uint8Array> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  return new globalThis.ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        reader ??= (Readable.toWeb(stream) as ReadableStream<Uint8Array>).getReader();
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => {
        stream.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}

function readAll(stream: Readable): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    stream.on('data', (piece: Buffer) => {
      pieces.push(piece);
      size += piece.length;
      if (size > BODY_MAX_BYTES) stream.destroy(new RangeError('upstream body too large'));
    });
    finished(stream, { writable: false }, (error) => (error ? reject(error) : resolve(joined(pieces, size))));
  });
}

/** One copy in a buffer of its own: `Buffer.concat` may return a view into a shared pool. */
function joined(pieces: readonly Buffer[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}
