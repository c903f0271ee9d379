import * as z from 'zod';
import { type ImageAttachment, isPdf } from '../../models/images';
import type { ChatTurn } from '../../models/model';
import { asFunctionCalls } from './custom-tools';
import { CONTENT_RULE, CONTRACT_PARTS, contentOf, OPENAI_PARTS, type Parts, saidInParts } from './message-parts';
import { listOf, objectOf, optional } from './schemas';
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
/** Images of a whole conversation by the contract, and by the protocols of others; their bytes are bounded by the body's. */
const IMAGES_MAX = 32;
const IMAGES_MAX_ELSEWHERE = 100;
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

const anything = (description: string) => optional(z.unknown(), description);

/** Messages of a protocol. */
interface Dialect {
  /** Name of a message in the document. */
  readonly id: string;
  readonly parts: Parts;
  /** Roles whose messages may have images. */
  readonly roles: readonly string[];
  readonly imagesMax: number;
  /** Calls of an assistant as calls of functions. */
  readonly calls: (calls: unknown) => unknown;
}

const messageOf = ({ id, parts, roles, calls }: Dialect) =>
  objectOf(
    {
      role: z
        .enum(ROLE_NAMES, 'must be one of system, user, assistant, tool')
        .describe('`developer` is read as `system`, `tool` and `function` as `user`.'),
      content: optional(
        contentOf(parts),
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
    .meta({ id })
    .transform(({ role, content, tool_call_id, tool_calls, ...fields }, context) => {
      if (!content && !MAY_BE_EMPTY.includes(role)) {
        context.addIssue({ code: 'custom', path: ['content'], message: CONTENT_RULE });
        return z.NEVER;
      }
      const { text, ...shown } = saidInParts(content ?? []);
      const [image] = shown.images ?? [];
      if (image && !roles.includes(role)) {
        const index = content?.indexOf(image) ?? 0;
        context.addIssue({ code: 'custom', path: ['content', index], message: misplaced(image, roles) });
      }
      return {
        role: ROLES[role],
        ...saidIn(role, text, { ...fields, tool_calls: calls(tool_calls) }),
        ...shown,
        ...(ROLES_OF_TOOLS.has(role) && { callId: typeof tool_call_id === 'string' ? tool_call_id : '' }),
      };
    });

function misplaced(image: ImageAttachment, [first = '', ...others]: readonly string[]): string {
  const where = others[0] === undefined ? `role ${first}` : `roles ${first} and ${others[0]}`;
  return `unsupported content part type "${isPdf(image) ? 'file' : 'image_url'}": only messages of the ${where} may have images`;
}

const messagesOf = (dialect: Dialect) =>
  listOf(messageOf(dialect), 'Invalid messages array', { min: 1 })
    .describe('The conversation; its last message is the prompt.')
    .transform((messages, context) => conversationOf(messages, context, dialect.imagesMax));

/** The `messages` of a chat request (`docs/api.md`, Messages). */
export const messagesSchema = messagesOf({
  id: 'Message',
  parts: CONTRACT_PARTS,
  roles: ['user'],
  imagesMax: IMAGES_MAX,
  calls: (calls) => calls,
});

/** The same with all that OpenAI's own protocol has: addresses of images, PDFs, images of tools, custom tools. */
export const openAiMessagesSchema = messagesOf({
  id: 'OpenAiMessage',
  parts: OPENAI_PARTS,
  roles: ['user', 'tool', 'function'],
  imagesMax: IMAGES_MAX_ELSEWHERE,
  calls: asFunctionCalls,
});

/** A message of any role, as it was read. */
export type SaidMessage = Omit<ReadMessage, 'role'> & { readonly role: ReadMessage['role'] | 'system' };

/** The conversation that messages make: its last one is the prompt, whatever its role. */
export function conversationOf(
  messages: readonly SaidMessage[],
  context: z.core.$RefinementCtx,
  imagesMax = IMAGES_MAX_ELSEWHERE,
): Messages {
  const images = messages.reduce((sum, each) => sum + (each.images?.length ?? 0), 0);
  if (images > imagesMax) context.addIssue(`at most ${imagesMax} images`);
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
