import * as z from 'zod';
import { IMAGE_TYPES, type ImageAttachment, isOfType } from '../../models/images';
import type { ChatTurn } from '../../models/model';
import { listOf, objectOf, optional, withForm } from './schemas';
import { type ReadMessage, saidIn, strayResult, type ToolTurns, toolTurns } from './tool-messages';

/** The roles that real clients send, and what each means here. */
const ROLES = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'user',
  function: 'user',
} as const;
const ROLE_NAMES = Object.keys(ROLES) as (keyof typeof ROLES)[];
/** The roles in which a tool call may stand in the place of words. */
const MAY_BE_EMPTY: readonly string[] = ['assistant', 'tool', 'function'];
const ROLES_OF_TOOLS: ReadonlySet<string> = new Set(['tool', 'function']);
const TEXT_PARTS = ['text', 'input_text', 'refusal'] as const;
const CONTENT_RULE = 'must be a string or an array of parts';
const DATA_URI = /^data:([a-z]+\/[a-z+.-]+);base64,/i;
const IMAGE_RULE = 'the URL of an "image_url" part must be a data URI (data:image/png;base64,…)';
/** Names that some clients use for JPEG. */
const OTHER_NAMES: Readonly<Record<string, string>> = { 'image/jpg': 'image/jpeg' };
/** Images of a whole conversation; their bytes are bounded by the body's. */
const IMAGES_MAX = 32;
/** Characters of a client's own words that an error repeats at most. */
const ECHO_CHARACTERS_MAX = 50;

/** A conversation: its last message, earlier non-system messages as history, and the system messages. */
export interface Messages {
  readonly message: string;
  readonly history: readonly ChatTurn[];
  /** Those of the last message, and its speaker. */
  readonly images?: readonly ImageAttachment[];
  readonly name?: string;
  /** Places in it up to which the prompt is to be kept in a cache (`ChatTurn`). */
  readonly cacheMarks?: readonly number[];
  /** The system messages before the last message, oldest first; none is empty. */
  readonly systemMessages: readonly string[];
  /** The same with its tool calls, where there are any: for a model that answers alone. */
  readonly toolTurns?: ToolTurns;
  /** Place of the first result of a tool that no call stands before. */
  readonly strayResult?: number;
}

/** Rule that a last message without words breaks. */
export const BLANK_MESSAGE = 'the last message is the prompt and must not be empty';

const dataUri = z.string().regex(new RegExp(`^data:(${IMAGE_TYPES.join('|')});base64,`));
/** Parts as the document shows them. */
const partForms = z.union([
  z
    .object({ type: z.enum(TEXT_PARTS), text: z.string().optional(), refusal: z.string().optional() })
    .describe('A refusal has its text in `refusal`.'),
  z
    .object({
      type: z.literal('image_url'),
      image_url: z.object({ url: dataUri.describe('No address is fetched.') }),
    })
    .describe('An image, in messages of the role `user` alone; every model of the run needs vision.'),
]);

const part = withForm(
  z.unknown().transform((value, context): string | ImageAttachment => {
    const { type, ...held } = (value ?? {}) as { type?: unknown; text?: unknown; refusal?: unknown };
    const text = type === 'refusal' ? held.refusal : held.text;
    const isText = TEXT_PARTS.some((name) => name === type);
    if (isText && typeof text === 'string') return text;
    const read = isText ? `must have a string "${type === 'refusal' ? type : 'text'}"` : otherPart(type, value);
    if (typeof read !== 'string') return read;
    context.addIssue(read);
    return z.NEVER;
  }),
  (jsonOf) => jsonOf(partForms),
);

/** An image; else what is wrong with the part. */
function otherPart(type: unknown, value: unknown): ImageAttachment | string {
  if (type === 'image_url') return imageOfPart(value);
  const name = typeof type === 'string' ? JSON.stringify(type.slice(0, ECHO_CHARACTERS_MAX)) : 'without a name';
  return `unsupported content part type ${name}: only text and image_url parts are supported`;
}

const parts = listOf(part, CONTENT_RULE);
const content = withForm(
  z.preprocess((value) => (typeof value === 'string' ? [{ type: 'text', text: value }] : value), parts),
  (jsonOf) => ({ anyOf: [{ type: 'string' }, jsonOf(parts)] }),
);

const anything = (description: string) => optional(z.unknown(), description);

const message = objectOf(
  {
    role: z
      .enum(ROLE_NAMES, 'must be one of system, user, assistant, tool')
      .describe('`developer` is read as `system`, `tool` and `function` as `user`.'),
    content: optional(
      content,
      'A string, or parts whose texts are joined; required of the roles `system`, `developer` and `user`.',
    ),
    tool_calls: anything('What the assistant called, as the reply had it; read where one model answers alone.'),
    tool_call_id: anything('Of the role `tool`: the call whose result it is; likewise.'),
    name: anything('Who speaks, where several do.'),
    refusal: anything('What the assistant said in the place of an answer.'),
    reasoning_content: anything(
      'What the assistant thought, as the reply had it; read where one model is offered tools.',
    ),
    reasoning: anything('Likewise.'),
    reasoning_details: anything('Likewise.'),
  },
  'must be an object with role and content',
)
  .meta({ id: 'Message' })
  .transform(({ role, content: parts, tool_call_id, ...fields }, context) => {
    if (!parts && !MAY_BE_EMPTY.includes(role)) {
      context.addIssue({ code: 'custom', path: ['content'], message: CONTENT_RULE });
      return z.NEVER;
    }
    const images = (parts ?? []).filter((each) => typeof each !== 'string');
    if (images.length > 0 && role !== 'user') {
      const index = parts?.findIndex((each) => typeof each !== 'string') ?? 0;
      const words = 'unsupported content part type "image_url": only messages of the role user may have images';
      context.addIssue({ code: 'custom', path: ['content', index], message: words });
    }
    const text = (parts ?? []).filter((each) => typeof each === 'string').join('\n');
    return {
      role: ROLES[role],
      ...saidIn(role, text, fields),
      ...(images.length > 0 && { images }),
      ...(ROLES_OF_TOOLS.has(role) && { callId: typeof tool_call_id === 'string' ? tool_call_id : '' }),
    };
  });

/** The `messages` of a chat request (`docs/api.md`, Messages). */
export const messagesSchema = listOf(message, 'Invalid messages array', { min: 1 })
  .describe('The conversation; its last message is the prompt.')
  .transform(conversationOf);

/** A message of any role, as it was read. */
export type SaidMessage = Omit<ReadMessage, 'role'> & { readonly role: ReadMessage['role'] | 'system' };

/** The conversation that messages make: its last one is the prompt, whatever its role. */
export function conversationOf(messages: readonly SaidMessage[], context: z.core.$RefinementCtx): Messages {
  const images = messages.reduce((sum, each) => sum + (each.images?.length ?? 0), 0);
  if (images > IMAGES_MAX) context.addIssue(`at most ${IMAGES_MAX} images`);
  const systemMessages = messages.slice(0, -1).flatMap(({ role, text }) => (role === 'system' && text ? [text] : []));
  const last = messages.at(-1);
  const said = messages.flatMap((each) => {
    if (each.role !== 'system') return [{ ...each, role: each.role }];
    return each === last ? [{ ...each, role: 'user' as const }] : [];
  });
  const withTools = toolTurns(said);
  const stray = strayResult(messages);
  if (last?.text.trim() === '' && !last.images && !withTools?.toolResults) {
    context.addIssue({ code: 'custom', path: [messages.length - 1, 'content'], message: BLANK_MESSAGE });
  }
  const history = said.slice(0, -1).flatMap(({ role, text, images: shown, name, cacheMarks }): ChatTurn[] => {
    const marks = cacheMarks && { cacheMarks };
    return text === '' && !shown
      ? []
      : [{ role, text, ...(shown && { images: shown }), ...(name && { name }), ...marks }];
  });
  return {
    message: last?.text ?? '',
    history,
    systemMessages,
    ...(last?.images && { images: last.images }),
    ...(last?.name && { name: last.name }),
    ...(last?.cacheMarks && { cacheMarks: last.cacheMarks }),
    ...(withTools && { toolTurns: withTools }),
    ...(stray >= 0 && { strayResult: stray }),
  };
}

/** The image of an `image_url` part; else what is wrong with the part, in words for the client. */
function imageOfPart(part: unknown): ImageAttachment | string {
  const { image_url: image } = part as { readonly image_url?: unknown };
  const url = typeof image === 'object' && image !== null ? (image as { readonly url?: unknown }).url : image;
  if (typeof url !== 'string') return IMAGE_RULE;
  const [prefix, name = ''] = DATA_URI.exec(url.slice(0, 100)) ?? [];
  if (prefix === undefined) return `${IMAGE_RULE}: no address is fetched`;
  const mediaType = IMAGE_TYPES.find((type) => type === (OTHER_NAMES[name.toLowerCase()] ?? name.toLowerCase()));
  if (!mediaType) return `an "image_url" must be one of ${IMAGE_TYPES.join(', ')}`;
  const base64 = url.slice(prefix.length);
  const bytes = Buffer.from(base64, 'base64');
  // Strict, without a regular expression over megabytes: what decoding passed over is missing here.
  if (bytes.toString('base64') !== base64) return 'the data of an "image_url" must be standard base64';
  return isOfType(mediaType, bytes) ? { mediaType, base64 } : `the data of an "image_url" is no ${mediaType}`;
}
