import type { EventWriter } from '../../http/event-stream';
import { ReplyReasoning } from '../../models/gateway/reply-parts';
import type { Reasoning } from '../../models/reasoning';
import type { ToolCallPiece } from '../../models/tools';
import { textWriter } from '../answer/chunks';
import { thoughtToken } from '../shared/thought-token';

type Block = { readonly type: string } & Readonly<Record<string, unknown>>;

/** Piece of a block that grows: of the text, the thoughts, or the call at that place. */
interface Piece {
  readonly key: 'text' | 'thinking' | number;
  /** The block as it begins; of a call in its first piece alone. */
  readonly begins: Block | undefined;
  readonly text: string;
  readonly thought?: Reasoning;
}

/** A block that waits, with all that it holds. */
interface HeldBlock extends Pick<Piece, 'key' | 'begins'> {
  text: string;
  readonly thoughts: ReplyReasoning;
}

const DELTAS: Readonly<Record<string, object>> = {
  text: { type: 'text_delta', text: '' },
  thinking: { type: 'thinking_delta', thinking: '' },
  tool_use: { type: 'input_json_delta', partial_json: '' },
};
const TEXT = { type: 'text', text: '' };
const THINKING = { type: 'thinking', thinking: '', signature: '' };

/**
 * Writes the blocks of a streamed message strictly one after the other, as clients act on a block once it has ended: what a
 * model says beside a call that is being written waits for the end of the reply.
 */
export class BlockWriter {
  readonly #events: EventWriter;
  readonly #held = new Map<Piece['key'], HeldBlock>();
  #count = 0;
  #key: Piece['key'] | undefined;
  #thoughts = new ReplyReasoning();
  #tell = (_: string): void => undefined;

  constructor(events: EventWriter) {
    this.#events = events;
  }

  text(text: string): void {
    this.#add({ key: 'text', begins: TEXT, text });
  }

  toolCall({ index: key, begins, arguments: text }: ToolCallPiece): void {
    this.#add({ key, begins: begins && { type: 'tool_use', ...begins, input: {} }, text });
  }

  /** Takes a piece of what the model thinks, and the words of it that are shown. */
  thought(thought: Reasoning, text: string): void {
    this.#add({ key: 'thinking', begins: THINKING, text, thought });
  }

  /** Writes what has waited; `rest` is what else the model needs of its thoughts to go on. */
  end(rest: Reasoning | undefined): void {
    for (const { begins, key, text, thoughts } of this.#held.values()) {
      this.#begin(begins, key);
      this.#thoughts = thoughts;
      if (text !== '') this.#tell(text);
    }
    if (rest) this.#begin({ type: 'redacted_thinking', data: thoughtToken(rest) });
    this.#close();
  }

  #add({ key, begins, text, thought }: Piece): void {
    if (typeof this.#key === 'number' && key !== this.#key) {
      const held = this.#held.get(key) ?? { key, begins, text: '', thoughts: new ReplyReasoning() };
      this.#held.set(key, held);
      held.text += text;
      if (thought) held.thoughts.add(thought);
      return;
    }
    if (key !== this.#key) this.#begin(begins, key);
    if (thought) this.#thoughts.add(thought);
    if (text !== '') this.#tell(text);
  }

  /** Ends the last block and begins one. */
  #begin(block: Block | undefined, key?: Piece['key']): void {
    if (!block) return;
    this.#close();
    const index = this.#count;
    this.#count += 1;
    this.#key = key;
    this.#events.write({ type: 'content_block_start', index, content_block: block });
    this.#tell = textWriter({ type: 'content_block_delta', index, delta: DELTAS[block.type] }, this.#events);
  }

  /** Ends the last block, thoughts with their token. */
  #close(): void {
    if (this.#count === 0) return;
    const index = this.#count - 1;
    const thoughts = this.#thoughts.whole();
    if (thoughts) {
      const delta = { type: 'signature_delta', signature: thoughtToken(thoughts) };
      this.#events.write({ type: 'content_block_delta', index, delta });
      this.#thoughts = new ReplyReasoning();
    }
    this.#events.write({ type: 'content_block_stop', index });
  }
}
