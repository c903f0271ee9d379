import * as z from 'zod';
import type { Tool } from '../../models/tools';
import { toolName } from '../ensemble-options/tool-offer';
import { bool, listOf, withForm } from '../shared/schemas';
import { isMark } from './blocks';

const SCHEMA_RULE = 'must be a JSON Schema of the type object';
const CHOICE_RULE = 'must have the type auto, any, tool or none';
const TOOLS_MAX = 128;

const customTool = z.object(
  {
    name: toolName.describe('What the model calls it by.'),
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
  readonly offered?: Tool;
  readonly isMarked?: boolean;
  readonly left?: string;
}

const tool = withForm(
  z.unknown().transform((value, context): ReadTool => {
    const { type } = (value ?? {}) as { readonly type?: unknown };
    if (typeof type === 'string' && type !== 'custom') return { left: type.slice(0, 40) };
    const { data, error } = customTool.safeParse(value);
    for (const { path, message } of error?.issues ?? []) context.addIssue({ code: 'custom', path, message });
    if (!data) return z.NEVER;
    const { name, description, input_schema: parameters, strict, cache_control: mark } = data;
    const offered = { name, ...(description && { description }), parameters, ...(strict != null && { strict }) };
    return { offered, isMarked: isMark(mark) };
  }),
  (jsonOf) => jsonOf(customTool),
);

/** Fields of a request about tools. */
export const toolFields = {
  tools: listOf(tool, 'must be an array of tools', { max: TOOLS_MAX, tooLong: `at most ${TOOLS_MAX} tools` })
    .optional()
    .describe('Tools that may be called, by the client; those that Anthropic runs are left out.'),
  tool_choice: z
    .object(
      {
        type: z.enum(['auto', 'any', 'tool', 'none'], CHOICE_RULE),
        name: toolName.nullish().describe('With the type `tool`: the one to be called.'),
        disable_parallel_tool_use: bool().nullish().describe('Whether at most one may be called.'),
      },
      CHOICE_RULE,
    )
    .transform(({ type, name, disable_parallel_tool_use: single }) => ({
      choice: type === 'tool' ? { name: name ?? '' } : ({ auto: 'auto', any: 'required', none: 'none' } as const)[type],
      parallel: single == null ? undefined : !single,
    }))
    .optional()
    .describe('Whether one is to be called.'),
};
