import type { ToolCall, ToolCallPiece } from '../tools';
import { ReplyText } from './reply-text';

/** The tool calls of a reply as they grow. */
export class ReplyToolCalls {
  readonly #calls: (Omit<ToolCall, 'arguments'> & { readonly text: ReplyText })[] = [];

  add({ index, begins, arguments: text }: ToolCallPiece): void {
    if (begins) this.#calls[index] = { ...begins, text: new ReplyText() };
    this.#calls[index]?.text.add(text);
  }

  /** All of them so far; undefined when there are none. */
  list(): readonly ToolCall[] | undefined {
    if (this.#calls.length === 0) return undefined;
    return this.#calls.map(({ id, name, text }) => ({ id, name, arguments: text.toString() }));
  }
}
