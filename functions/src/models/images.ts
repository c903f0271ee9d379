/** The kinds of image that every provider's vision models read. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;
/** Documents that such a model is shown as pictures of their pages. */
export const PDF_TYPE = 'application/pdf';

type FileType = (typeof IMAGE_TYPES)[number] | typeof PDF_TYPE;

/** A picture, or a PDF, whose bytes the caller has sent. */
export interface ImageFile {
  readonly mediaType: FileType;
  /** The file's bytes, in standard base64. */
  readonly base64: string;
  /** Name of a PDF. */
  readonly name?: string;
}

/** Address of a picture, which the provider fetches. */
export interface ImageAddress {
  readonly url: string;
}

/** A picture shown with a user's turn, or with what a tool returned. Only models with `vision` are shown one. */
export type ImageAttachment = ImageFile | ImageAddress;

/** True of a picture by its address. */
export function isAddress(image: ImageAttachment): image is ImageAddress {
  return 'url' in image;
}

/** True of a PDF. */
export function isPdf(image: ImageAttachment): image is ImageFile {
  return !isAddress(image) && image.mediaType === PDF_TYPE;
}

/** Fields of a turn that have pictures. */
export interface WithImages {
  readonly images?: readonly ImageAttachment[];
  readonly toolResults?: readonly { readonly images?: readonly ImageAttachment[] }[];
}

/** The pictures of a turn: first those that tools returned. */
export function imagesIn({ images = [], toolResults = [] }: WithImages): readonly ImageAttachment[] {
  return [...toolResults.flatMap(({ images: returned = [] }) => returned), ...images];
}

/** Beginnings of the kinds of files, in hex. */
const SIGNATURES: Readonly<Record<FileType, RegExp>> = {
  'image/png': /^89504e470d0a1a0a/,
  'image/jpeg': /^ffd8ff/,
  'image/webp': /^52494646.{8}57454250/,
  'image/gif': /^47494638(37|39)61/,
  [PDF_TYPE]: /^255044462d/,
};

/** True of bytes that begin as a file of that kind does. */
export function isOfType(mediaType: FileType, bytes: Buffer): boolean {
  return SIGNATURES[mediaType].test(bytes.toString('hex', 0, 16));
}
