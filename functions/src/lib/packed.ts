import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { ByteShare } from './byte-budget';

/** Memory for each byte that is unpacked and sent: itself, its text, and what is written of that. */
export const HELD_BYTES = 4;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** A JSON value as it is kept. */
export function pack(value: object): Promise<Uint8Array> {
  return compress(JSON.stringify(value));
}

/** The JSON text of such a value. */
async function unpack(bytes: Uint8Array): Promise<string> {
  return (await decompress(bytes)).toString();
}

/** The texts of packed values, once a share holds the memory for them; undefined, and nothing is held, where there is none. */
export async function unpackWithin(
  share: ByteShare,
  packed: readonly Uint8Array[],
): Promise<readonly string[] | undefined> {
  const bytes = packed.reduce((sum, one) => sum + unpackedBytes(one), 0);
  let texts: readonly string[] | undefined;
  try {
    if (share.hold(bytes * HELD_BYTES)) texts = await Promise.all(packed.map(unpack));
  } finally {
    if (!texts) share.release();
  }
  return texts;
}

/** The bytes that packed ones become: gzip ends with their number. */
export function unpackedBytes(packed: Uint8Array): number {
  return Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength).readUInt32LE(packed.byteLength - 4);
}

/** Events, each as JSON, as a batch of them is kept: JSON has no line breaks outside its texts, and none in them. */
export function packEvents(events: readonly string[]): Promise<Uint8Array> {
  return compress(events.join('\n'));
}

/** The reverse of `packEvents`. */
export async function unpackEvents(bytes: Uint8Array): Promise<string[]> {
  return (await unpack(bytes)).split('\n');
}
