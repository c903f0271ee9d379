/* Blocks of a message in Anthropic's protocol, each as what it says. */
import * as z from 'zod';
import { IMAGE_TYPES, type ImageAttachment, type ImageFile, PDF_TYPE } from '../../models/images';
import type { Reasoning } from '../../models/reasoning';
import type { ToolCall, ToolResult } from '../../models/tools';
import { addressFlaw, fileFlaw } from '../shared/images';
import { listOf, withForm } from '../shared/schemas';
import { thoughtIn } from '../shared/thought-token';

/** Part of a message. */
interface Block {
  readonly text?: string;
  readonly image?: ImageAttachment;
  readonly call?: ToolCall;
  readonly result?: Omit<ToolResult, 'name'>;
  readonly reasoning?: Reasoning | undefined;
  /** True if the prompt is to be kept in a cache up to here. */
  readonly isMarked?: boolean;
}
export type Blocks = readonly Block[];

const string = () => z.string('must be a string');
const name = () => z.string('must be a non-empty string').min(1, 'must be a non-empty string');
const anything = (type: string) => z.unknown().optional().meta({ type });

/** True of a field that marks what a cache is to keep. */
export function isMark(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** Blocks of a type, and what one says. */
function kind<Type extends string, Shape extends z.ZodRawShape>(
  type: Type,
  shape: Shape,
  said: (fields: z.output<z.ZodObject<Shape>>) => Block,
) {
  return z
    .object({ type: z.literal(type, `must be ${type}`), ...shape, cache_control: anything('object') })
    .transform((fields): Block => {
      const isMarked = isMark((fields as { readonly cache_control?: unknown }).cache_control);
      return { ...said(fields as z.output<z.ZodObject<Shape>>), ...(isMarked && { isMarked }) };
    });
}

/** A string, or such blocks. */
function contentOf(block: z.ZodType<Block>) {
  const blocks = listOf(block, 'must be a string or an array of blocks');
  return withForm(
    z.preprocess((value) => (typeof value === 'string' ? [{ type: 'text', text: value }] : value), blocks),
    (jsonOf) => ({ anyOf: [{ type: 'string' }, jsonOf(blocks)] }),
  );
}

/** Bytes of a file, held to its kind. */
function fileOf(mediaTypes: readonly ImageFile['mediaType'][]) {
  const mediaType = z.enum(mediaTypes, `must be one of ${mediaTypes.join(', ')}`);
  return z
    .object({ type: z.literal('base64'), media_type: mediaType, data: string() })
    .transform(({ media_type, data: base64 }, context): ImageAttachment => {
      const message = fileFlaw(media_type, base64);
      if (message !== undefined) context.addIssue({ code: 'custom', path: ['data'], message });
      return { mediaType: media_type, base64 };
    });
}

const url = string().check(({ value, issues }) => {
  const message = addressFlaw(value);
  if (message !== undefined) issues.push({ code: 'custom', input: value, message });
});
const text = kind('text', { text: string() }, ({ text: said }) => ({ text: said }));
const imageSources = [fileOf(IMAGE_TYPES), z.object({ type: z.literal('url'), url })] as const;
const imageSource = z.discriminatedUnion('type', imageSources, 'must be base64 or url');
const image = kind('image', { source: imageSource }, ({ source }) => ({ image: source }));
const documentSources = [fileOf([PDF_TYPE]), z.object({ type: z.literal('text'), data: string() })] as const;
const documentSource = z.discriminatedUnion('type', documentSources, 'must be base64 or text');
const document = kind('document', { source: documentSource, title: string().nullish() }, ({ source, title }) => {
  if ('data' in source) return { text: title ? `${title}:\n${source.data}` : source.data };
  return { image: { ...source, ...(title && { name: title }) } };
});
const toolReference = kind('tool_reference', { tool_name: string() }, (found) => ({
  text: `Tool: ${found.tool_name}`,
}));
const returned = [text, image, document, toolReference] as const;
const resultFields = {
  tool_use_id: name(),
  content: contentOf(
    z.discriminatedUnion('type', returned, 'must be one of text, image, document, tool_reference'),
  ).nullish(),
  is_error: anything('boolean'),
};
const toolResult = kind('tool_result', resultFields, ({ tool_use_id: callId, content, is_error: isError }) => {
  const words = textOf(content ?? []);
  const images = (content ?? []).flatMap(({ image: shown }) => shown ?? []);
  const said = isError === true ? `The tool has failed: ${words}` : words;
  return { result: { callId, text: said, ...(images.length > 0 && { images }) } };
});
const input = z.record(z.string(), z.unknown(), 'must be an object');
const toolUse = kind('tool_use', { id: name(), name: name(), input }, ({ input: given, ...call }) => ({
  call: { id: call.id, name: call.name, arguments: JSON.stringify(given) },
}));
const thinking = kind('thinking', { signature: anything('string') }, ({ signature }) => ({
  reasoning: thoughtIn(signature),
}));
const redacted = kind('redacted_thinking', { data: anything('string') }, ({ data }) => ({
  reasoning: thoughtIn(data),
}));

const users = [text, image, document, toolResult] as const;
const assistants = [text, toolUse, thinking, redacted] as const;
/** Contents of messages, by who speaks. */
export const CONTENTS = {
  system: contentOf(text),
  user: contentOf(z.discriminatedUnion('type', users, 'must be one of text, image, document, tool_result')),
  assistant: contentOf(
    z.discriminatedUnion('type', assistants, 'must be one of text, tool_use, thinking, redacted_thinking'),
  ),
};

/** The texts of blocks as one. */
function textOf(blocks: Blocks): string {
  return blocks.flatMap(({ text: said }) => said || []).join('\n');
}
