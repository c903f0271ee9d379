/* Blocks of a message in Anthropic's protocol, each as what it says. */
import * as z from 'zod';
import { IMAGE_TYPES, type ImageAttachment, type ImageFile, PDF_TYPE } from '../../models/images';
import type { Reasoning } from '../../models/reasoning';
import type { ToolCall } from '../../models/tools';
import { addressFlaw, fileFlaw } from '../shared/images';
import { listOf, withForm } from '../shared/schemas';
import { thoughtIn } from '../shared/thought-token';

/** Part of a message. */
export interface Block {
  readonly text?: string;
  readonly image?: ImageAttachment;
  readonly call?: ToolCall;
  /** Result of a tool, and the call that it is of. */
  readonly result?: Pick<Block, 'text'> & { readonly callId: string; readonly images: readonly ImageAttachment[] };
  readonly reasoning?: Reasoning | undefined;
  /** True if the prompt is to be kept in a cache up to here. */
  readonly isMarked?: boolean;
}

const CONTENT_RULE = 'must be a string or an array of blocks';
const TEXT_RULE = 'must be a string';
const ID_RULE = 'must be a non-empty string';

const string = () => z.string(TEXT_RULE);
const id = () => z.string(ID_RULE).min(1, ID_RULE);
const marked = { cache_control: z.unknown().optional().meta({ type: 'object' }) };

/** True of a field that marks what a cache is to keep. */
export function isMark(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** Says of a block's fields what the block is, and whether it is marked. */
function blockOf<Fields extends { readonly cache_control?: unknown }>(said: (fields: Fields) => Block) {
  return (fields: Fields): Block => ({ ...said(fields), ...(isMark(fields.cache_control) && { isMarked: true }) });
}

/** Bytes of a file, held to its kind. */
function fileOf(mediaTypes: readonly ImageFile['mediaType'][]) {
  const typeRule = `must be one of ${mediaTypes.join(', ')}`;
  return z
    .object({ type: z.literal('base64'), media_type: z.enum(mediaTypes, typeRule), data: string() })
    .transform(({ media_type: mediaType, data: base64 }, context): ImageFile => {
      const flaw = fileFlaw(mediaType, base64);
      if (flaw === undefined) return { mediaType, base64 };
      context.addIssue({ code: 'custom', path: ['data'], message: flaw });
      return z.NEVER;
    });
}

const address = z
  .object({
    type: z.literal('url'),
    url: string().check(({ value, issues }) => {
      const message = addressFlaw(value);
      if (message !== undefined) issues.push({ code: 'custom', input: value, message });
    }),
  })
  .transform(({ url }): ImageAttachment => ({ url }));

const text = z
  .object({ type: z.literal('text'), text: string(), ...marked })
  .transform(blockOf(({ text }) => ({ text })));
const image = z
  .object({
    type: z.literal('image'),
    source: z.discriminatedUnion('type', [fileOf(IMAGE_TYPES), address], 'must be base64 or url'),
    ...marked,
  })
  .transform(blockOf(({ source }) => ({ image: source })));
const plainDocument = z
  .object({ type: z.literal('text'), data: string() })
  .transform(({ data }): { readonly text: string } => ({ text: data }));
const document = z
  .object({
    type: z.literal('document'),
    source: z.discriminatedUnion('type', [fileOf([PDF_TYPE]), plainDocument], 'must be base64 or text'),
    title: string().nullish(),
    ...marked,
  })
  .transform(
    blockOf(({ source, title }): Block => {
      if ('text' in source) return { text: title ? `${title}:\n${source.text}` : source.text };
      return { image: { ...source, ...(title && { name: title }) } };
    }),
  );
const toolReference = z
  .object({ type: z.literal('tool_reference'), tool_name: string(), ...marked })
  .transform(blockOf(({ tool_name }) => ({ text: `Tool found: ${tool_name}` })));

/** A string, or such blocks. */
function contentOf(block: z.ZodType<Block>) {
  const blocks = listOf(block, CONTENT_RULE);
  return withForm(
    z.preprocess((value) => (typeof value === 'string' ? [{ type: 'text', text: value }] : value), blocks),
    (jsonOf) => ({ anyOf: [{ type: 'string' }, jsonOf(blocks)] }),
  );
}

const returned = z.discriminatedUnion(
  'type',
  [text, image, document, toolReference],
  'must be one of text, image, document, tool_reference',
);
const toolResult = z
  .object({
    type: z.literal('tool_result'),
    tool_use_id: id(),
    content: contentOf(returned).nullish(),
    is_error: z.unknown().optional().meta({ type: 'boolean' }),
    ...marked,
  })
  .transform(
    blockOf(({ tool_use_id: callId, content, is_error: isError }): Block => {
      const words = textsOf(content ?? []).join('\n');
      const said = isError === true ? `The tool has failed: ${words}` : words;
      return { result: { callId, text: said, images: (content ?? []).flatMap(({ image: shown }) => shown ?? []) } };
    }),
  );
const toolUse = z
  .object({
    type: z.literal('tool_use'),
    id: id(),
    name: id(),
    input: z.record(z.string(), z.unknown(), 'must be an object'),
    ...marked,
  })
  .transform(blockOf(({ id, name, input }) => ({ call: { id, name, arguments: JSON.stringify(input) } })));
const thinking = z
  .object({ type: z.literal('thinking'), signature: z.unknown().optional().meta({ type: 'string' }), ...marked })
  .transform(blockOf(({ signature }) => ({ reasoning: thoughtIn(signature) })));
const redactedThinking = z
  .object({ type: z.literal('redacted_thinking'), data: z.unknown().optional().meta({ type: 'string' }), ...marked })
  .transform(blockOf(({ data }) => ({ reasoning: thoughtIn(data) })));

const instructions = z.discriminatedUnion('type', [text], 'must be text');
const users = z.discriminatedUnion(
  'type',
  [text, image, document, toolResult],
  'must be one of text, image, document, tool_result',
);
const assistants = z.discriminatedUnion(
  'type',
  [text, toolUse, thinking, redactedThinking],
  'must be one of text, tool_use, thinking, redacted_thinking',
);

/** Contents of messages, by who speaks. */
export const CONTENTS = {
  system: contentOf(instructions),
  user: contentOf(users),
  assistant: contentOf(assistants),
};

/** Texts of blocks that have one. */
export function textsOf(blocks: readonly Block[]): string[] {
  return blocks.flatMap(({ text: said }) => (said ? [said] : []));
}
