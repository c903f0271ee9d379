import { IMAGE_TYPES, type ImageAttachment, type ImageFile, isOfType, PDF_TYPE } from '../../models/images';

/** The bytes of a file as a client sent them. */
export interface SentBytes {
  readonly mediaType: unknown;
  readonly base64: unknown;
}

/** A file as a client sent it: its bytes, or a URL, which may hold them. */
type SentFile = SentBytes | { readonly url: unknown };

const DATA_URI = /^data:([a-z]+\/[a-z+.-]+);base64,/i;
/** Names that some clients use for JPEG. */
const OTHER_NAMES: Readonly<Record<string, string>> = { 'image/jpg': 'image/jpeg' };
const ADDRESS_CHARACTERS_MAX = 2_048;
/** Text of an address that all who read it read alike: without blanks, backslashes and control characters. */
const ADDRESS = /^https:\/\/[^\s\\\p{Cc}]+$/iu;
const NAME_CHARACTERS_MAX = 255;

/** The image of a part, or its address, which is fetched by the provider; else what is wrong with `part`, as `an "image"`. */
export function imageFrom(sent: SentFile, part: string): ImageAttachment | string {
  if (!('url' in sent)) return fileFrom(sent, IMAGE_TYPES, part);
  const { url } = sent;
  if (typeof url === 'string' && /^https:/i.test(url)) {
    const flaw = addressFlaw(url);
    return flaw === undefined ? { url } : `the URL of ${part} part ${flaw}`;
  }
  const bytes = bytesIn(url);
  if (bytes) return fileFrom(bytes, IMAGE_TYPES, part);
  return `the URL of ${part} part must be a data URI (data:image/png;base64,…) or an https address`;
}

/** The PDF of a part, in a data URI or as bytes; else what is wrong with `part`, as `a "file"`. */
export function pdfFrom(sent: SentFile, part: string, name?: unknown): ImageFile | string {
  const bytes = 'url' in sent ? bytesIn(sent.url) : sent;
  if (!bytes) return `the data of ${part} must be a data URI (data:application/pdf;base64,…)`;
  const file = fileFrom(bytes, [PDF_TYPE], part);
  const known = typeof name === 'string' ? name.slice(0, NAME_CHARACTERS_MAX).toWellFormed() : '';
  return typeof file === 'string' || known === '' ? file : { ...file, name: known };
}

/** The bytes that a data URI holds; undefined where it is none. */
export function bytesIn(uri: unknown): SentBytes | undefined {
  if (typeof uri !== 'string') return undefined;
  const [prefix, mediaType] = DATA_URI.exec(uri.slice(0, 100)) ?? [];
  return prefix === undefined ? undefined : { mediaType, base64: uri.slice(prefix.length) };
}

/** A file of one of these types; else what is wrong with it. */
export function fileFrom(sent: SentBytes, types: readonly ImageFile['mediaType'][], part: string): ImageFile | string {
  const { mediaType: name, base64 } = sent;
  const lower = typeof name === 'string' ? name.toLowerCase() : '';
  const mediaType = types.find((type) => type === (OTHER_NAMES[lower] ?? lower));
  if (!mediaType) return `${part} must be one of ${types.join(', ')}`;
  const flaw = fileFlaw(mediaType, base64);
  return flaw === undefined ? { mediaType, base64: base64 as string } : `the data of ${part} ${flaw}`;
}

/** What is wrong with the bytes of a file, in words that say what they are or must be. */
export function fileFlaw(mediaType: ImageFile['mediaType'], base64: unknown): string | undefined {
  const bytes = Buffer.from(typeof base64 === 'string' ? base64 : '', 'base64');
  // Strict, without a regular expression over megabytes: what decoding passed over is missing here.
  if (bytes.toString('base64') !== base64) return 'must be standard base64';
  return isOfType(mediaType, bytes) ? undefined : `is no ${mediaType}`;
}

/** What is wrong with an address that a provider is to fetch, likewise. */
export function addressFlaw(url: string): string | undefined {
  if (url.length > ADDRESS_CHARACTERS_MAX) return 'has at most 2,048 characters';
  const address = ADDRESS.test(url) ? URL.parse(url) : null;
  if (!address) return 'must be an https address';
  return address.username === '' && address.password === '' ? undefined : 'must not hold a name or a password';
}
