import { IMAGE_TYPES, type ImageAttachment, type ImageFile, isOfType, PDF_TYPE } from '../../models/images';

const DATA_URI = /^data:([a-z]+\/[a-z+.-]+);base64,/i;
/** Names that some clients use for JPEG. */
const OTHER_NAMES: Readonly<Record<string, string>> = { 'image/jpg': 'image/jpeg' };
const ADDRESS_CHARACTERS_MAX = 2_048;
/** Text of an address that all who read it read alike: without blanks, backslashes and control characters. */
const ADDRESS = /^https:\/\/[^\s\\\p{Cc}]+$/iu;
const NAME_CHARACTERS_MAX = 255;

/** The image of a part in a data URI, or its address, which the provider fetches; else what is wrong with `part`, as `an "image"`. */
export function imageFrom(url: unknown, part: string): ImageAttachment | string {
  if (typeof url === 'string' && /^https:/i.test(url)) {
    const flaw = addressFlaw(url);
    return flaw === undefined ? { url } : `the URL of ${part} part ${flaw}`;
  }
  const rule = `the URL of ${part} part must be a data URI (data:image/png;base64,…) or an https address`;
  return fileInUri(url, IMAGE_TYPES, part) ?? rule;
}

/** The PDF of a part in a data URI; else what is wrong with `part`, as `a "file"`. */
export function pdfFrom(uri: unknown, part: string, name?: unknown): ImageFile | string {
  const file = fileInUri(uri, [PDF_TYPE], part);
  if (file === undefined) return `the data of ${part} must be a data URI (data:application/pdf;base64,…)`;
  const known = typeof name === 'string' ? name.slice(0, NAME_CHARACTERS_MAX).toWellFormed() : '';
  return typeof file === 'string' || known === '' ? file : { ...file, name: known };
}

/** The file of one of these types in a data URI; else what is wrong with it. Undefined where it is none. */
export function fileInUri(
  uri: unknown,
  types: readonly ImageFile['mediaType'][],
  part: string,
): ImageFile | string | undefined {
  if (typeof uri !== 'string') return undefined;
  const [prefix, name = ''] = DATA_URI.exec(uri.slice(0, 100)) ?? [];
  if (prefix === undefined) return undefined;
  const mediaType = types.find((type) => type === (OTHER_NAMES[name.toLowerCase()] ?? name.toLowerCase()));
  if (!mediaType) return `${part} must be one of ${types.join(', ')}`;
  const base64 = uri.slice(prefix.length);
  const flaw = fileFlaw(mediaType, base64);
  return flaw === undefined ? { mediaType, base64 } : `the data of ${part} ${flaw}`;
}

/** Flaw in the bytes of a file, in words that say what they are or must be. */
export function fileFlaw(mediaType: ImageFile['mediaType'], base64: string): string | undefined {
  const bytes = Buffer.from(base64, 'base64');
  // Strict, without a regular expression over megabytes: what decoding passed over is missing here.
  if (bytes.toString('base64') !== base64) return 'must be standard base64';
  return isOfType(mediaType, bytes) ? undefined : `is no ${mediaType}`;
}

/** Flaw in an address that a provider is to fetch, likewise. */
export function addressFlaw(url: string): string | undefined {
  if (url.length > ADDRESS_CHARACTERS_MAX) return 'has at most 2,048 characters';
  const address = ADDRESS.test(url) ? URL.parse(url) : null;
  if (!address) return 'must be an https address';
  return address.username === '' && address.password === '' ? undefined : 'must not hold a name or a password';
}
