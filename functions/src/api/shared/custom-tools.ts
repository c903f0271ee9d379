/* Tools that take any text: models are offered functions with one string in their place. */
import { strictObject } from '../../models/model';
import type { Tool } from '../../models/tools';

/** A tool that takes text, as a client describes it. */
interface TextTool {
  readonly name: string;
  readonly description?: string | undefined;
  /** Grammar that the text follows. */
  readonly grammar?: { readonly syntax: string; readonly definition: string } | undefined;
}

/** The function that stands for a tool that takes text: its grammar is told in words. */
export function customTool({ name, description = '', grammar }: TextTool): Tool {
  const rule = grammar ? `The input must match this grammar (${grammar.syntax}):\n${grammar.definition}` : '';
  const words = [description, rule].filter((text) => text !== '').join('\n\n');
  const input = { type: 'string', description: 'The whole input, as text.' };
  return { name, ...(words !== '' && { description: words }), parameters: strictObject({ input }) };
}

/** Text of a call of such a tool: the string of its arguments, or what the model wrote in its place. */
export function customInput(argumentsJson: string): string {
  try {
    const { input } = JSON.parse(argumentsJson) as { readonly input?: unknown };
    return typeof input === 'string' ? input : argumentsJson;
  } catch {
    return argumentsJson;
  }
}

/** Arguments of a call of such a tool, from its text. */
export function customArguments(input: string): string {
  return JSON.stringify({ input });
}

/** Calls of an assistant in which those of such tools are calls of the functions that stand for them. */
export function asFunctionCalls(calls: unknown): unknown {
  if (!Array.isArray(calls)) return calls;
  return calls.map((call: unknown) => {
    const { type, custom, ...rest } = (call ?? {}) as { readonly type?: unknown; readonly custom?: unknown };
    const { name, input } = (custom ?? {}) as { readonly name?: unknown; readonly input?: unknown };
    if (type !== 'custom' || typeof input !== 'string') return call;
    return { ...rest, type: 'function', function: { name, arguments: customArguments(input) } };
  });
}

/** Names of such tools in a chat completion that was read. */
export function customNames(sent: object): ReadonlySet<string> {
  const { tools } = sent as { readonly tools?: unknown };
  const custom = (Array.isArray(tools) ? tools : []).filter((tool) => tool?.type === 'custom');
  return new Set(custom.map(({ custom: { name } }) => name));
}
