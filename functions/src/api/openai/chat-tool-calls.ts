/* Calls of tools in the form of chat completions: of functions, and of tools that take text. */
import * as z from 'zod';
import { type Sent, text } from '../../lib/reply-schemas';
import type { ToolCall, ToolCallPiece } from '../../models/tools';
import { callDelta, toolCallPiece } from '../answer/chunks';
import { functionCall, functionCallBody } from '../answer/run-result';
import { customInput } from '../shared/custom-tools';

const customCall = () => z.object({ name: text('The tool.'), input: text('The text.') });

/** A call in a message. */
export const openAiCall = () =>
  z.union([functionCall(), z.object({ id: text('Likewise.'), type: z.literal('custom'), custom: customCall() })]);

/** A piece of a call in a stream; of a custom tool all of it. */
export const openAiCallPiece = () =>
  z.union([
    toolCallPiece(),
    toolCallPiece()
      .pick({ index: true, id: true })
      .extend({ type: z.literal('custom'), custom: customCall() }),
  ]);

/** A call as a message has it; `custom` names the tools that take text. */
export function callBody(
  { id, name, arguments: json }: ToolCall,
  custom: ReadonlySet<string>,
): Sent<ReturnType<typeof openAiCall>> {
  if (!custom.has(name)) return functionCallBody({ id, name, arguments: json });
  return { id, type: 'custom', custom: { name, input: customInput(json) } };
}

/** Writes calls piece by piece; those of custom tools at the end, as only then their text is known. */
export function callWriter(
  custom: ReadonlySet<string>,
  write: (piece: Sent<ReturnType<typeof openAiCallPiece>>) => void,
) {
  const held = new Map<number, ToolCall>();
  return {
    piece: (piece: ToolCallPiece) => {
      const { index, begins, arguments: more } = piece;
      const call = held.get(index) ?? (begins && custom.has(begins.name) ? { ...begins, arguments: '' } : undefined);
      if (call) held.set(index, { ...call, arguments: call.arguments + more });
      else write(callDelta(piece));
    },
    end: () => {
      for (const [index, { id, name, arguments: json }] of held)
        write({ index, id, type: 'custom', custom: { name, input: customInput(json) } });
    },
  };
}
