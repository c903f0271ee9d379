/* Items of an input: parts of messages, in the form of the protocol. */
import * as z from 'zod';
import { customArguments } from '../../shared/custom-tools';
import { imageFrom, pdfFrom } from '../../shared/images';
import { contentOf, type Parts, saidInParts, textForm } from '../../shared/message-parts';
import type { SaidMessage } from '../../shared/messages';
import { objectOf, optional } from '../../shared/schemas';
import { thoughtIn } from '../../shared/thought-token';
import { byType } from './by-type';
import { offeredName } from './tools';

/** Rule broken by what names something that an earlier response or conversation is to have left. */
export const NOT_STORED =
  'nothing is stored here: send the whole conversation as input (in the AI SDK with the provider option store: false)';
const TYPE_RULE =
  'no item of this type is known here: must be message, function_call, custom_tool_call, an output of these, or reasoning';
/** Items that tell of what another server has done: the answer that came of it stands beside them. */
const INFORMING: readonly string[] = ['web_search_call', 'file_search_call', 'mcp_list_tools'];
const ROLES = { user: 'user', assistant: 'assistant', system: 'system', developer: 'system' } as const;
const ROLE_NAMES = Object.keys(ROLES) as (keyof typeof ROLES)[];

/** An item that was read: a part of a message, nothing, or a text that an earlier response is to have left. */
export type Item = SaidMessage | 'nothing' | 'reference';

const TEXTS = ['input_text', 'output_text', 'refusal'] as const;
const PARTS: Parts = {
  forms: z.union([
    textForm(TEXTS),
    z
      .object({ type: z.literal('input_image'), image_url: z.string() })
      .describe('A data URI, or an https address, which the provider fetches; every model of the run needs vision.'),
    z
      .object({ type: z.literal('input_file'), file_data: z.string(), filename: z.string().optional() })
      .describe('A PDF in a data URI, likewise.'),
  ]),
  // Chat completions call it text, and so do clients of both.
  texts: [...TEXTS, 'text'],
  readers: {
    input_image: ({ image_url: url }) => imageFrom(url, 'an "input_image"'),
    input_file: ({ file_data: data, filename }) => pdfFrom(data, 'an "input_file"', filename),
  },
  names: 'input_text, output_text, refusal, input_image and input_file',
};

const text = z.string('must be a string');
const word = text.min(1, 'must not be empty');
const content = contentOf(PARTS);

const item = <Fields extends z.ZodRawShape>(fields: Fields) => objectOf(fields, 'must be an object');

const message = item({
  role: z.enum(ROLE_NAMES, `must be one of ${ROLE_NAMES.join(', ')}`),
  content: content.describe('A text, or parts whose texts are joined.'),
}).transform(({ role, content: parts }, context): Item => {
  const index = role === 'user' ? -1 : parts.findIndex((part) => typeof part !== 'string');
  const rule = 'only messages of the role user may have images and files';
  if (index >= 0) context.addIssue({ code: 'custom', path: ['content', index, 'type'], message: rule });
  return { role: ROLES[role], ...saidInParts(parts) };
});

const called = { call_id: word, name: word, namespace: optional(text, 'Of a tool that has one.') };
const functionCall = item({ ...called, arguments: text.describe('JSON, as the model wrote it.') }).transform(
  ({ call_id: id, name, namespace, arguments: json }) => callOf(id, offeredName(name, namespace), json),
);
const customCall = item({ ...called, input: text }).transform(({ call_id: id, name, namespace, input }) =>
  callOf(id, offeredName(name, namespace), customArguments(input)),
);
const output = item({ call_id: word, output: content.describe('A text, or parts.') }).transform(
  ({ call_id: callId, output: parts }): Item => ({ role: 'user', callId, ...saidInParts(parts) }),
);

const thoughts = item({ encrypted_content: optional(z.unknown(), 'As a response had it.') }).transform(
  ({ encrypted_content: token }): Item => {
    const reasoning = thoughtIn(token);
    return reasoning ? { role: 'assistant', text: '', reasoning } : 'nothing';
  },
);

/** A reference to an item of an earlier response: of thoughts nothing is missed. */
const reference = item({ id: text }).transform(({ id }, context): Item => {
  if (id.startsWith('rs_')) return 'nothing';
  if (id.startsWith('msg_')) return 'reference';
  context.addIssue({ code: 'custom', path: ['type'], message: NOT_STORED });
  return z.NEVER;
});

/** An item; a message need not name its type. */
export const itemSchema = byType<Item>(
  {
    message,
    function_call: functionCall,
    function_call_output: output,
    custom_tool_call: customCall,
    custom_tool_call_output: output,
    reasoning: thoughts,
    item_reference: reference,
  },
  (type) => (INFORMING.includes(type) ? { read: 'nothing' } : { wrong: TYPE_RULE }),
  'message',
);

function callOf(id: string, name: string, json: string): Item {
  return { role: 'assistant', text: '', toolCalls: [{ id, name, arguments: json }] };
}
