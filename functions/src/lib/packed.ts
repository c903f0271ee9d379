import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { ByteShare } from './byte-budget';

/** Memory for each byte that is unpacked and sent: itself, its text, and what is written of that. */
const HELD_BYTES = 4;
/** Memory held while the length of what is read is unknown. */
const READ_BYTES = 4 * 1024 * 1024;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

interface Packed {
  readonly bytes: Uint8Array;
}
type Unpacked<P extends Packed> = P & { readonly text: string };

export function pack(value: object): Promise<Uint8Array> {
  return compress(JSON.stringify(value));
}

/** Events, each as JSON, as they are kept together: JSON has no line breaks outside its texts, and none in them. */
export function packEvents(events: readonly string[]): Promise<Uint8Array> {
  return compress(events.join('\n'));
}

export function unpackEvents(text: string): string[] {
  return text.split('\n');
}

/** Reads and unpacks values within the memory of a share; undefined, and nothing is held, where there is not enough. */
export async function readWithin<P extends Packed>(
  share: ByteShare,
  read: () => Promise<readonly P[]>,
): Promise<readonly Unpacked<P>[] | undefined> {
  if (!share.hold(READ_BYTES)) return undefined;
  const packed = await read().catch((error: unknown) => {
    share.release();
    throw error;
  });
  return unpackWithin(share, packed);
}

/** Unpacks values within the memory of a share; undefined, and nothing is held, where there is not enough. */
export async function unpackWithin<P extends Packed>(
  share: ByteShare,
  packed: readonly P[],
): Promise<readonly Unpacked<P>[] | undefined> {
  const bytes = packed.reduce((sum, one) => sum + unpackedBytes(one), 0);
  let unpacked: readonly Unpacked<P>[] | undefined;
  try {
    if (share.hold(bytes * HELD_BYTES)) unpacked = await Promise.all(packed.map(unpack));
  } finally {
    if (!unpacked) share.release();
  }
  return unpacked;
}

async function unpack<P extends Packed>(packed: P): Promise<Unpacked<P>> {
  return { ...packed, text: (await decompress(packed.bytes)).toString() };
}

/** The number of bytes that packed ones become: gzip ends with it. */
export function unpackedBytes({ bytes }: Packed): number {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).readUInt32LE(bytes.byteLength - 4);
}
