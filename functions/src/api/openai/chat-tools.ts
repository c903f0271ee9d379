/* Tools in the form of chat completions, with those kinds that OpenAI's own protocol has beside functions. */
import * as z from 'zod';
import type { Tool, ToolOffer } from '../../models/tools';
import { functionChoice, functionSchema, offerOf, toolListOf, toolName } from '../ensemble-options/tool-offer';
import { customTool } from '../shared/custom-tools';
import { bool, listOf, objectOf, optional } from '../shared/schemas';

const CHOICE_RULE =
  'must be none, auto, required, a tool as {"type": "function", "function": {"name": "…"}}, or allowed_tools';
const NO_TOOL = 'must be an object with a name';
const text = z.string('must be a string');

const grammar = objectOf({ syntax: text, definition: text }, 'must be an object with syntax and definition');
const format = objectOf({ type: text, grammar: grammar.optional() }, 'must be an object with a type');
const customSchema = objectOf(
  {
    name: toolName,
    description: optional(text, 'What it does, for the model.'),
    format: optional(format, 'Which texts it takes, told to the model in words.'),
  },
  NO_TOOL,
)
  .meta({ id: 'CustomTool' })
  .transform(({ format: { grammar: rules } = { type: 'text' }, ...tool }) => customTool({ ...tool, grammar: rules }));

const tool = objectOf(
  {
    type: z.enum(['function', 'custom'], 'must be function or custom'),
    function: functionSchema.optional(),
    custom: customSchema.optional(),
  },
  'must be an object with type and function, or type and custom',
)
  .meta({ id: 'OpenAiTool' })
  .transform(({ type, ...kinds }, context): { readonly type: keyof typeof kinds; readonly called: Tool } => {
    const called = kinds[type];
    if (called) return { type, called: called as Tool };
    context.addIssue({ code: 'custom', path: [type], message: NO_TOOL });
    return z.NEVER;
  });

const one = z.union([
  functionChoice,
  objectOf({ type: z.literal('custom'), custom: objectOf({ name: toolName }) }).transform(({ custom }) => custom),
]);
const some = objectOf({
  type: z.literal('allowed_tools'),
  allowed_tools: objectOf({ mode: z.enum(['auto', 'required']), tools: listOf(one, CHOICE_RULE, { min: 1 }) }),
}).transform(({ allowed_tools: { mode, tools } }) => ({ mode, names: tools.map(({ name }) => name) }));

/** The fields of a request about tools. */
export const chatToolFields = {
  tools: optional(toolListOf(tool), 'What may be called, by its caller: the service runs none.'),
  tool_choice: optional(
    z.union([z.enum(['none', 'auto', 'required']), one, some], CHOICE_RULE),
    'Whether one is to be called, and which are offered.',
  ),
  parallel_tool_calls: optional(bool(), 'Whether several may be called at once.'),
};

/** The offer that they make, if any; to be called where the body is read. */
export function chatOffer(
  { tools = [], tool_choice: choice, parallel_tool_calls: parallel }: z.infer<z.ZodObject<typeof chatToolFields>>,
  context: z.core.$RefinementCtx,
): ToolOffer | undefined {
  const namePaths = tools.map(({ type }, index) => [index, type, 'name']);
  return offerOf({ tools: tools.map(({ called }) => called), choice, parallel, namePaths }, context);
}
