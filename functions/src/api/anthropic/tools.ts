import * as z from 'zod';
import type { ToolFields } from '../ensemble-options/tool-offer';
import { bool, listOf, withForm } from '../shared/schemas';
import { isMark } from './blocks';

const NAME_RULE = 'must be 1 to 64 letters, digits, "_" or "-"';
const SCHEMA_RULE = 'must be a JSON Schema of the type object';
const CHOICE_RULE = 'must have the type auto, any, tool or none';
const NO_TOOLS = 'needs tools';
const CHOICES = { auto: 'auto', any: 'required', none: 'none' } as const;

const name = () => z.string(NAME_RULE).regex(/^[\w-]{1,64}$/, NAME_RULE);

const customTool = z.object(
  {
    name: name().describe('What the model calls it by.'),
    description: z.string('must be a string').nullish().describe('What it does, for the model.'),
    input_schema: z
      .looseObject({ type: z.literal('object', SCHEMA_RULE) }, SCHEMA_RULE)
      .describe('The JSON Schema of its arguments.'),
    strict: bool().nullish().describe('Whether the arguments are held to that schema, where the provider can.'),
    cache_control: z.unknown().optional().meta({ type: 'object' }),
  },
  'must be an object with name and input_schema',
);

/** A tool of the client; else the type of one that Anthropic runs, which nobody does here. */
interface ReadTool {
  readonly offered?: z.output<typeof customTool>;
  readonly left?: string;
}

const tool = withForm(
  z.unknown().transform((value, context): ReadTool => {
    const { type } = (value ?? {}) as { readonly type?: unknown };
    if (typeof type === 'string' && type !== 'custom') return { left: type };
    const { data, error } = customTool.safeParse(value);
    if (data) return { offered: data };
    const { path = [], message = SCHEMA_RULE } = error?.issues[0] ?? {};
    context.addIssue({ code: 'custom', path: [...path], message });
    return z.NEVER;
  }),
  (jsonOf) => jsonOf(customTool),
);

/** `tools` of a request. */
export const toolsSchema = listOf(tool, 'must be an array of tools').superRefine((tools, context) => {
  const names = tools.map(({ offered }) => offered?.name);
  const twice = names.findIndex((each, at) => each !== undefined && names.indexOf(each) < at);
  if (twice >= 0) context.addIssue({ code: 'custom', path: [twice, 'name'], message: 'is used twice' });
});

/** `tool_choice` of a request. */
export const toolChoiceSchema = z.object(
  {
    type: z.enum(['auto', 'any', 'tool', 'none'], CHOICE_RULE),
    name: name().optional().describe('With the type `tool`: the one to be called.'),
    disable_parallel_tool_use: bool().optional().describe('Whether at most one may be called.'),
  },
  CHOICE_RULE,
);

interface OfferFields {
  readonly tools?: readonly ReadTool[] | undefined;
  readonly tool_choice?: z.output<typeof toolChoiceSchema> | undefined;
}

/** Rule that the choice breaks, and its field. */
export function choiceFlaw({ tools = [], tool_choice: choice }: OfferFields) {
  const names = tools.flatMap(({ offered }) => offered?.name ?? []);
  const isForced = choice?.type === 'any' || choice?.type === 'tool';
  if (isForced && names.length === 0) return { path: ['tool_choice'], message: NO_TOOLS };
  const isKnown = choice?.type !== 'tool' || names.some((each) => each === choice.name);
  return isKnown ? undefined : { path: ['tool_choice', 'name'], message: 'names no tool of tools' };
}

/** The fields as the service has them. */
export function toolFieldsOf({ tools = [], tool_choice: choice }: OfferFields): ToolFields {
  const offered = tools.flatMap(({ offered: each }) => (each ? [each] : []));
  const { type = 'auto', name: chosen = '', disable_parallel_tool_use: single } = choice ?? {};
  return {
    tools: offered.map(({ name: called, description, input_schema: parameters, strict }) => {
      const said = { ...(description && { description }), parameters, ...(strict != null && { strict }) };
      return { type: 'function', function: { name: called, ...said } };
    }),
    ...(choice && { tool_choice: type === 'tool' ? { type: 'function', function: { name: chosen } } : CHOICES[type] }),
    ...(single !== undefined && { parallel_tool_calls: !single }),
  };
}

/** Tools that are offered to nobody, in words for their sender. */
export function toolsLeftOut({ tools = [] }: OfferFields): string[] {
  return tools.flatMap(({ left }, at) => (left === undefined ? [] : [`tools[${at}]: ${left.slice(0, 40)}`]));
}

/** True if the prompt is to be kept in a cache up to the last of its tools. */
export function areMarked({ tools = [] }: OfferFields): boolean {
  return tools.some(({ offered }) => isMark(offered?.cache_control));
}
