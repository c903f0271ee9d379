import * as z from 'zod';
import type { ToolFields } from '../ensemble-options/tool-offer';
import { bool, listOf, withForm } from '../shared/schemas';
import { isMark } from './blocks';

const NAME_RULE = 'must be 1 to 64 letters, digits, "_" or "-"';
const SCHEMA_RULE = 'must be a JSON Schema of the type object';
const CHOICE_RULE = 'must have the type auto, any, tool or none';
const CHOICES = { auto: 'auto', any: 'required', none: 'none' } as const;

const name = z.string(NAME_RULE).regex(/^[\w-]{1,64}$/, NAME_RULE);
const customTool = z.object(
  {
    name: name.describe('What the model calls it by.'),
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
    if (typeof type === 'string' && type !== 'custom') return { left: type.slice(0, 40) };
    const { data, error } = customTool.safeParse(value);
    if (data) return { offered: data };
    for (const { path, message } of error?.issues ?? []) context.addIssue({ code: 'custom', path, message });
    return z.NEVER;
  }),
  (jsonOf) => jsonOf(customTool),
);

/** Fields about tools. */
export const toolFields = {
  tools: listOf(tool, 'must be an array of tools')
    .optional()
    .describe('Tools that may be called, by the client; those that Anthropic runs are left out.'),
  tool_choice: z
    .object(
      {
        type: z.enum(['auto', 'any', 'tool', 'none'], CHOICE_RULE),
        name: name.nullish().describe('With the type `tool`: the one to be called.'),
        disable_parallel_tool_use: bool().nullish().describe('Whether at most one may be called.'),
      },
      CHOICE_RULE,
    )
    .optional()
    .describe('Whether one is to be called.'),
};

/** The same fields as the service has them, and what of them is without effect or wrong. */
export function offerOf({ tools = [], tool_choice: choice }: z.output<z.ZodObject<typeof toolFields>>) {
  const { type = 'auto', name: chosen, disable_parallel_tool_use: single } = choice ?? {};
  const offered = tools.flatMap(({ offered: each }) => each ?? []);
  const names = tools.map(({ offered: each }) => each?.name);
  const twice = names.findIndex((each, at) => each !== undefined && names.indexOf(each) < at);
  const flaws = [
    twice >= 0 && { path: ['tools', twice, 'name'], message: 'is used twice' },
    (type === 'any' || type === 'tool') && offered.length === 0 && { path: ['tool_choice'], message: 'needs tools' },
    type === 'tool' &&
      !names.some((each) => each === chosen) && {
        path: ['tool_choice', 'name'],
        message: 'names no tool of tools',
      },
  ];
  const fields: ToolFields = {
    tools: offered.map(({ name: called, description, input_schema: parameters, strict }) => {
      const said = { ...(description && { description }), parameters, ...(strict != null && { strict }) };
      return { type: 'function', function: { name: called, ...said } };
    }),
    ...(choice && { tool_choice: type === 'tool' ? { type: 'function', function: { name: chosen } } : CHOICES[type] }),
    ...(single != null && { parallel_tool_calls: !single }),
  };
  return {
    fields,
    flaw: flaws.find((each) => each !== false),
    leftOut: tools.flatMap(({ left }, at) => (left === undefined ? [] : [`tools[${at}]: ${left}`])),
    isMarked: offered.some(({ cache_control: mark }) => isMark(mark)),
  };
}
