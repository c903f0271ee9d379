import { isImage } from '../../models/image-signature';
import { IMAGE_TYPES, type ImageAttachment } from '../../models/model';

const DATA_URI = /^data:([a-z]+\/[a-z+.-]+);base64,/i;
const RULE = 'the URL of an "image_url" part must be a data URI (data:image/png;base64,…)';
/** Names that some clients use for JPEG. */
const OTHER_NAMES: Readonly<Record<string, string>> = { 'image/jpg': 'image/jpeg' };

/** The image of an `image_url` part; else what is wrong with the part, in words for the client. */
export function imageOfPart(part: unknown): ImageAttachment | string {
  const { image_url: image } = part as { readonly image_url?: unknown };
  const url = typeof image === 'object' && image !== null ? (image as { readonly url?: unknown }).url : image;
  if (typeof url !== 'string') return RULE;
  const [prefix, name = ''] = DATA_URI.exec(url.slice(0, 100)) ?? [];
  if (prefix === undefined) return `${RULE}: no address is fetched`;
  const mediaType = IMAGE_TYPES.find((type) => type === (OTHER_NAMES[name.toLowerCase()] ?? name.toLowerCase()));
  if (!mediaType) return `an "image_url" must be one of ${IMAGE_TYPES.join(', ')}`;
  const base64 = url.slice(prefix.length);
  const bytes = Buffer.from(base64, 'base64');
  // Strict, without a regular expression over megabytes: what decoding passed over is missing here.
  if (bytes.toString('base64') !== base64) return 'the data of an "image_url" must be standard base64';
  return isImage(mediaType, bytes) ? { mediaType, base64 } : `the data of an "image_url" is no ${mediaType}`;
}
