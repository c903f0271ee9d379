import type { ImageAttachment } from './model';

/** Beginnings of the kinds of images, in hex. */
const SIGNATURES: Readonly<Record<ImageAttachment['mediaType'], RegExp>> = {
  'image/png': /^89504e470d0a1a0a/,
  'image/jpeg': /^ffd8ff/,
  'image/webp': /^52494646.{8}57454250/,
  'image/gif': /^47494638(37|39)61/,
};

/** True of bytes that begin as an image of that kind does. */
export function isImage(mediaType: ImageAttachment['mediaType'], bytes: Buffer): boolean {
  return SIGNATURES[mediaType].test(bytes.toString('hex', 0, 16));
}
