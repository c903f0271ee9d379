import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** A JSON value as it is kept. */
export function pack(value: object): Promise<Uint8Array> {
  return compress(JSON.stringify(value));
}

/** The reverse of `pack`. */
export async function unpack(bytes: Uint8Array): Promise<object> {
  return JSON.parse((await decompress(bytes)).toString());
}

/** Events, each as JSON, as a batch of them is kept: JSON has no line breaks outside its texts, and none in them. */
export function packEvents(events: readonly string[]): Promise<Uint8Array> {
  return compress(events.join('\n'));
}

/** The reverse of `packEvents`. */
export async function unpackEvents(bytes: Uint8Array): Promise<string[]> {
  return (await decompress(bytes)).toString().split('\n');
}
