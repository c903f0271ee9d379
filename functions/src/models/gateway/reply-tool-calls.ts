import type { ToolCall, ToolCallPiece } from '../tools';
import type { AnsweredCall } from './gateway-call';
import { ReplyReasoning } from './reply-reasoning';
import { ReplyText } from './reply-text';

/** The tool calls of a reply as they grow, and what the model thinks of them. */
export class ReplyToolCalls {
  readonly #calls: (Omit<ToolCall, 'arguments'> & { readonly text: ReplyText })[] = [];

  readonly reasoning = new ReplyReasoning();

  add({ index, begins, arguments: text }: ToolCallPiece): void {
    if (begins) this.#calls[index] = { ...begins, text: new ReplyText() };
    this.#calls[index]?.text.add(text);
  }

  /** All of them so far. */
  told(): Pick<AnsweredCall, 'toolCalls' | 'reasoning'> {
    const toolCalls = this.#calls.map(({ id, name, text }) => ({ id, name, arguments: text.toString() }));
    const reasoning = this.reasoning.whole();
    return { ...(toolCalls.length > 0 && { toolCalls }), ...(reasoning && { reasoning }) };
  }
}
