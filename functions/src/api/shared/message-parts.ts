/* The content of chat messages: text, or parts, of which the contract takes fewer kinds than OpenAI's own protocol. */
import * as z from 'zod';
import { IMAGE_TYPES, type ImageAttachment } from '../../models/images';
import { fileInUri, imageFrom, pdfFrom } from './images';
import { listOf, withForm } from './schemas';

const CHAT_TEXTS = ['text', 'input_text', 'refusal'] as const;
export const CONTENT_RULE = 'must be a string or an array of parts';
const IMAGE_PART = 'an "image_url"';
const IMAGE_RULE = 'the URL of an "image_url" part must be a data URI (data:image/png;base64,…)';
/** Characters of a client's own words that an error repeats at most. */
const ECHO_CHARACTERS_MAX = 50;

type PartReader = (part: Readonly<Record<string, unknown>>) => ImageAttachment | string;

/** Parts that messages may have. */
export interface Parts {
  /** Form of each, as the document shows it. */
  readonly forms: z.ZodType;
  /** Types of those that are texts. */
  readonly texts: readonly string[];
  /** Readers of those that are no texts, by type; what is wrong with a part is told in words. */
  readonly readers: Readonly<Record<string, PartReader>>;
  readonly names: string;
}

/** Form of texts of these types. */
export const textForm = (types: readonly [string, ...string[]]) =>
  z
    .object({ type: z.enum(types), text: z.string().optional(), refusal: z.string().optional() })
    .describe('A refusal has its text in `refusal`.');
const imageForm = (url: z.ZodType, roles: string) =>
  z
    .object({ type: z.literal('image_url'), image_url: z.object({ url }) })
    .describe(`An image, in messages of the ${roles} alone; every model of the run needs vision.`);
const dataUri = z.string().regex(new RegExp(`^data:(${IMAGE_TYPES.join('|')});base64,`));

/** Parts by the contract. */
export const CONTRACT_PARTS: Parts = {
  forms: z.union([textForm(CHAT_TEXTS), imageForm(dataUri.describe('No address is fetched.'), 'role `user`')]),
  texts: CHAT_TEXTS,
  readers: { image_url: heldImage },
  names: 'text and image_url',
};

/** Parts by OpenAI's own protocol. */
export const OPENAI_PARTS: Parts = {
  forms: z.union([
    textForm(CHAT_TEXTS),
    imageForm(
      z.string().describe('A data URI, or an https address, which the provider fetches.'),
      'roles `user` and `tool`',
    ),
    z
      .object({ type: z.literal('file'), file: z.object({ file_data: z.string(), filename: z.string().optional() }) })
      .describe('A PDF in a data URI, likewise.'),
  ]),
  texts: CHAT_TEXTS,
  readers: { image_url: (part) => imageFrom(urlOf(part), IMAGE_PART), file: pdfOfPart },
  names: 'text, image_url and file',
};

/** Content of a message, of which a text is a part. */
export function contentOf({ forms, texts, readers, names }: Parts) {
  const part = withForm(
    z.unknown().transform((value, context): string | ImageAttachment => {
      const { type, ...held } = (value ?? {}) as Readonly<Record<'type' | 'text' | 'refusal', unknown>>;
      const text = type === 'refusal' ? held.refusal : held.text;
      const isText = texts.some((name) => name === type);
      if (isText && typeof text === 'string') return text;
      const read = isText ? `must have a string "${type === 'refusal' ? type : 'text'}"` : otherPart(type, held);
      if (typeof read !== 'string') return read;
      context.addIssue(read);
      return z.NEVER;
    }),
    (jsonOf) => jsonOf(forms),
  );
  const parts = listOf(part, CONTENT_RULE);
  return withForm(
    z.preprocess((value) => (typeof value === 'string' ? [{ type: texts[0], text: value }] : value), parts),
    (jsonOf) => ({ anyOf: [{ type: 'string' }, jsonOf(parts)] }),
  );

  function otherPart(type: unknown, held: Parameters<PartReader>[0]): ImageAttachment | string {
    const known = typeof type === 'string' && Object.hasOwn(readers, type) ? readers[type] : undefined;
    if (known) return known(held);
    const name = typeof type === 'string' ? JSON.stringify(type.slice(0, ECHO_CHARACTERS_MAX)) : 'without a name';
    return `unsupported content part type ${name}: only ${names} parts are supported`;
  }
}

/** Content of parts: their texts as one, and their files. */
export function saidInParts(parts: readonly (string | ImageAttachment)[]) {
  const images = parts.filter((part) => typeof part !== 'string');
  const text = parts.filter((part) => typeof part === 'string').join('\n');
  return { text, ...(images.length > 0 && { images }) };
}

function heldImage(part: object): ImageAttachment | string {
  const url = urlOf(part);
  const rule = typeof url === 'string' ? `${IMAGE_RULE}: no address is fetched` : IMAGE_RULE;
  return fileInUri(url, IMAGE_TYPES, IMAGE_PART) ?? rule;
}

function urlOf(part: object): unknown {
  const { image_url: image } = part as { readonly image_url?: unknown };
  return typeof image === 'object' && image !== null ? (image as { readonly url?: unknown }).url : image;
}

function pdfOfPart(part: object): ImageAttachment | string {
  const { file } = part as { readonly file?: { readonly file_data?: unknown; readonly filename?: unknown } | null };
  return pdfFrom(file?.file_data, 'a "file"', file?.filename);
}
