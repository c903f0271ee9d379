import type { EventWriter } from '../../http/event-stream';
import type { Reasoning } from '../../models/reasoning';
import type { ToolCallPiece } from '../../models/tools';
import { textWriter } from '../answer/chunks';
import { thoughtToken } from '../shared/thought-token';

/** Writes the blocks of a streamed message, one after the other. */
export class BlockWriter {
  readonly #events: EventWriter;
  #count = 0;
  #open: string | undefined;
  /** Writes a piece of the text that is open. */
  #writeText: (piece: string) => void = () => undefined;
  /** Blocks of calls, by their places among the calls. */
  readonly #calls = new Map<number, number>();
  readonly #thoughts: Record<string, string> = {};

  constructor(events: EventWriter) {
    this.#events = events;
  }

  text(piece: string): void {
    if (this.#open !== 'text') {
      this.#begin({ type: 'text', text: '' });
      this.#writeText = textWriter(this.#delta({ type: 'text_delta', text: '' }), this.#events);
    }
    this.#writeText(piece);
  }

  toolCall({ index, begins, arguments: partial_json }: ToolCallPiece): void {
    if (begins) this.#calls.set(index, this.#begin({ type: 'tool_use', ...begins, input: {} }));
    const at = this.#calls.get(index);
    // A call without arguments has those of an empty object when the reply ends: no words stand for them here.
    if (partial_json === '' || (partial_json === '{}' && at !== this.#count - 1)) return;
    this.#events.write(this.#delta({ type: 'input_json_delta', partial_json }, at));
  }

  /** Takes a piece of what the model thinks, and the words of it that are shown. */
  thought(piece: Reasoning, words: string): void {
    if (this.#open !== 'thinking') this.#begin({ type: 'thinking', thinking: '', signature: '' });
    for (const [name, text] of Object.entries(piece)) this.#thoughts[name] = `${this.#thoughts[name] ?? ''}${text}`;
    if (words !== '') this.#events.write(this.#delta({ type: 'thinking_delta', thinking: words }));
  }

  /** Ends the last block; `rest` is what else the model needs of its thoughts to go on. */
  end(rest: Reasoning | undefined): void {
    if (rest) this.#begin({ type: 'redacted_thinking', data: thoughtToken({ ...this.#thoughts, ...rest }) });
    this.#close();
  }

  /** Ends the last block and begins one; returns its place. */
  #begin(block: { readonly type: string } & Readonly<Record<string, unknown>>): number {
    this.#close();
    this.#count += 1;
    this.#open = block.type;
    const index = this.#count - 1;
    this.#events.write({ type: 'content_block_start', index, content_block: block });
    return index;
  }

  #close(): void {
    if (this.#open === undefined) return;
    // All thoughts so far, so that the last token has them all.
    if (this.#open === 'thinking')
      this.#events.write(this.#delta({ type: 'signature_delta', signature: thoughtToken(this.#thoughts) }));
    this.#events.write({ type: 'content_block_stop', index: this.#count - 1 });
    this.#open = undefined;
  }

  #delta(delta: object, index = this.#count - 1): object {
    return { type: 'content_block_delta', index, delta };
  }
}
