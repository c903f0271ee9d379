import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import zlib, { constants } from 'node:zlib';

/** A response as it is read: its head, and its body without a content coding. */
export type UpstreamResponse = Readable & Pick<IncomingMessage, 'statusCode' | 'headers'>;

/** A body that was cut off is decoded up to there: the reader of the reply tells whether anything is missing. */
const SYNC = { finishFlush: constants.Z_SYNC_FLUSH };
/** The window that every decoder of the web has (RFC 9659): the library's own default takes 128 MiB. */
const ZSTD = {
  finishFlush: constants.ZSTD_e_flush,
  params: { [constants.ZSTD_d_windowLogMax]: 23 },
};
const GZIP_MAGIC = Buffer.of(0x1f, 0x8b);
const ZSTD_MAGIC = Buffer.of(0x28, 0xb5, 0x2f, 0xfd);
/** The lower half of a zlib stream's first byte; some servers send deflate without that frame. */
const ZLIB_METHOD = 8;

/** Decoder of each coding for a body that begins with these bytes; undefined where the body is not coded after all. */
const DECODERS: Readonly<Record<string, (first: Buffer) => Transform | undefined>> = {
  gzip: (first) => (begins(first, GZIP_MAGIC) ? zlib.createGunzip(SYNC) : undefined),
  zstd: (first) => (begins(first, ZSTD_MAGIC) ? zlib.createZstdDecompress(ZSTD) : undefined),
  br: () => zlib.createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  deflate: ([first = ZLIB_METHOD]) =>
    (first & 0x0f) === ZLIB_METHOD ? zlib.createInflate(SYNC) : zlib.createInflateRaw(SYNC),
};

/**
 * The response with its body decoded: some gateways compress though no coding was accepted, and some leave the header on
 * what they have decoded. Rejects with the stream's error where it breaks before its first byte.
 */
export function decoded(message: IncomingMessage): UpstreamResponse | Promise<UpstreamResponse> {
  const coding = message.headers['content-encoding']?.trim().toLowerCase().replace(/^x-/, '');
  const decoderFor = coding === undefined ? undefined : DECODERS[coding];
  return decoderFor ? decodedBy(message, decoderFor) : message;
}

async function decodedBy(
  message: IncomingMessage,
  decoderFor: (first: Buffer) => Transform | undefined,
): Promise<UpstreamResponse> {
  await once(message, 'readable');
  const first: Buffer = message.read() ?? Buffer.alloc(0);
  if (first.length > 0) message.unshift(first);
  const decoder = decoderFor(first);
  if (!decoder) return message;
  const { statusCode = 0, headers } = message;
  // The reader of the decoder is told of what goes wrong, and closing it closes the message.
  pipeline(message, decoder, () => undefined);
  return Object.assign(decoder, { statusCode, headers });
}

function begins(bytes: Buffer, magic: Buffer): boolean {
  const length = Math.min(bytes.length, magic.length);
  return bytes.subarray(0, length).equals(magic.subarray(0, length));
}
