/* Tools of a request for a response: those of a namespace are offered to models under both names as one. */
import * as z from 'zod';
import type { Tool, ToolOffer } from '../../../models/tools';
import { functionSchema, offerOf, toolListOf, toolName } from '../../ensemble-options/tool-offer';
import { customTool } from '../../shared/custom-tools';
import { bool, listOf, objectOf, optional } from '../../shared/schemas';
import { byType } from './by-type';

const NAME_CHARACTERS_MAX = 64;
/** Types of OpenAI's own tools that clients offer without being told to: left out, which is said. */
const LEFT_OUT: readonly string[] = [
  ...['web_search', 'web_search_preview', 'image_generation', 'local_shell', 'tool_search'],
];
const TYPE_RULE = 'must be function, custom or namespace: the service runs no tools of its own';
const CHOICE_RULE =
  'must be none, auto, required, a tool as {"type": "function", "name": "…"}, or allowed_tools with a mode';

/** A tool as its client names it. */
export interface CalledTool {
  readonly type: 'function' | 'custom';
  readonly name: string;
  readonly namespace?: string;
}

const text = z.string('must be a string');

const custom = objectOf(
  {
    name: toolName,
    description: optional(text, 'What it does, for the model.'),
    format: optional(
      objectOf({ type: text, syntax: text.optional(), definition: text.optional() }, 'must be an object with a type'),
      'Which texts it takes, told to the model in words.',
    ),
  },
  'must be an object with a name',
).transform(({ format, ...tool }): Tool => {
  const { syntax, definition } = format ?? {};
  return customTool({ ...tool, ...(syntax && definition && { grammar: { syntax, definition } }) });
});
/** Tools that an entry offers, each with the path to its name, and names of what is left out of it. */
type Entry = readonly (readonly [tool: Tool | string, path: readonly PropertyKey[]])[];

const plain = { function: functionSchema.transform((tool) => tool as Tool), custom };
const member = byType<Tool>(plain, () => ({ wrong: TYPE_RULE }));
const namespace = objectOf({ name: toolName, tools: toolListOf(member) }).transform(
  ({ name: space, tools }): Entry =>
    tools.map((tool, index) => {
      const name = offeredName(tool.name, space);
      const isTooLong = name.length > NAME_CHARACTERS_MAX;
      return [isTooLong ? `${name}: name too long` : { ...tool, name }, ['tools', index, 'name']];
    }),
);
const one = (schema: z.ZodType<Tool>) => schema.transform((tool): Entry => [[tool, ['name']]]);
const entry = byType<Entry>({ function: one(plain.function), custom: one(custom), namespace }, (type) =>
  LEFT_OUT.includes(type) ? { read: [[type, []]] } : { wrong: TYPE_RULE },
);

const nameOf = z
  .object({ type: z.enum(['function', 'custom']), name: text, namespace: text.nullish() })
  .transform(({ name, namespace: space }) => ({ name: offeredName(name, space) }));
const some = z
  .object({
    type: z.literal('allowed_tools'),
    mode: z.enum(['auto', 'required']),
    tools: listOf(nameOf, CHOICE_RULE, { min: 1 }),
  })
  .transform(({ mode, tools }) => ({ mode, names: tools.map(({ name }) => name) }));

/** The fields of a request about tools. */
export const toolFields = {
  tools: optional(toolListOf(entry), 'What may be called, by its caller: the service runs none.'),
  tool_choice: optional(
    z.union([z.enum(['none', 'auto', 'required']), nameOf, some], CHOICE_RULE),
    'Whether one is to be called, and which are offered.',
  ),
  parallel_tool_calls: optional(bool(), 'Whether several may be called at once.'),
};

/** The offer that they make, if any, and what was left out of it. */
export function toolsOf(
  { tools = [], tool_choice: choice, parallel_tool_calls: parallel }: z.output<z.ZodObject<typeof toolFields>>,
  context: z.core.$RefinementCtx,
): { readonly toolOffer: ToolOffer | undefined; readonly leftOut: readonly string[] } {
  const read = tools.flatMap((each, index) => each.map(([tool, path]) => ({ tool, path: [index, ...path] })));
  const leftOut = read.flatMap(({ tool }) => (typeof tool === 'string' ? [`tools: ${tool}`] : []));
  const offered = read.flatMap(({ tool, path }) => (typeof tool === 'string' ? [] : [{ tool, path }]));
  const said = { tools: offered.map(({ tool }) => tool), namePaths: offered.map(({ path }) => path) };
  return { toolOffer: offerOf({ ...said, choice, parallel }, context), leftOut };
}

/** Name by which models are offered a tool. */
export function offeredName(name: string, space?: string | null): string {
  return space ? `${space}__${name}` : name;
}

/** Tools of a request that was read, by the names that models call them. */
export function calledTools(sent: object): ReadonlyMap<string, CalledTool> {
  const { tools } = sent as { readonly tools?: readonly (CalledTool | Space)[] | null };
  const all = (tools ?? []).flatMap((each): readonly CalledTool[] => {
    if (each.type === 'namespace') return each.tools.map(({ type, name }) => ({ type, name, namespace: each.name }));
    return Object.hasOwn(plain, each.type) ? [{ type: each.type, name: each.name }] : [];
  });
  return new Map(all.map((each) => [offeredName(each.name, each.namespace), each]));
}

interface Space {
  readonly type: 'namespace';
  readonly name: string;
  readonly tools: readonly CalledTool[];
}
