import type { Reasoning } from '../reasoning';
import type { ToolCall, ToolCallPiece } from '../tools';
import { addressKey, type FoundPage, type WebSource, webSource } from '../web-search';
import type { AnsweredCall } from './gateway-call';

/** So many pieces are joined: one by one they take ten times the memory of their text. */
const PIECES_MAX = 256;

/** The text of a reply as it grows. */
export class ReplyText {
  #joined = '';
  readonly #pieces: string[] = [];

  add(piece: string): void {
    this.#pieces.push(piece);
    if (this.#pieces.length >= PIECES_MAX) this.#join();
  }

  /** All of it so far. */
  toString(): string {
    this.#join();
    return this.#joined;
  }

  #join(): void {
    this.#joined += this.#pieces.splice(0).join('');
  }
}

/** Limit of its JSON; more is not kept. Of a text its beginning stays, and of items, which are signed as a whole, nothing. */
const CHARACTERS_MAX = 1024 * 1024;
/** Fields that come in pieces. */
const TEXTS: readonly string[] = ['reasoning_content', 'reasoning', 'text', 'summary'];

type Fields = Record<string, unknown>;
type Piece = Fields & { readonly reasoning_details?: readonly Fields[] };

/** Reasoning of a model, as it grows. */
export class ReplyReasoning {
  /** JSON, each with a comma behind it: as objects, small pieces take many times their text. */
  readonly #pieces = new ReplyText();
  /** Length of the part that is kept. */
  characters = 0;

  /** False for what is not kept. */
  add(piece: Reasoning): boolean {
    if (this.characters > CHARACTERS_MAX) return false;
    const json = `${JSON.stringify(piece)},`;
    this.characters += json.length;
    this.#pieces.add(json);
    return true;
  }

  /** All of it so far; undefined where there is none. Pieces of an item have its number and its type. */
  whole(): Reasoning | undefined {
    if (this.characters === 0) return undefined;
    const texts: Fields = {};
    const items: Fields[] = [];
    for (const piece of JSON.parse(`[${this.#pieces.toString().slice(0, -1)}]`) as Piece[]) {
      const { reasoning_details: details = [], ...fields } = piece;
      append(texts, fields);
      for (const item of details) {
        const { index, type } = items.at(-1) ?? {};
        const isSame = typeof index === 'number' && item['index'] === index && item['type'] === type;
        if (!isSame) items.push({});
        append(items.at(-1) as Fields, item);
      }
    }
    const isWhole = items.length > 0 && this.characters <= CHARACTERS_MAX;
    return { ...texts, ...(isWhole && { reasoning_details: items }) };
  }
}

function append(whole: Fields, piece: Fields): void {
  for (const [name, value] of Object.entries(piece)) {
    if (value !== null) whole[name] = TEXTS.includes(name) ? `${whole[name] ?? ''}${value}` : value;
  }
}

/** So many are kept of a reply, … */
const KEPT_MAX = 100;
/** … so many returned, and no more than so many looked at. */
const RETURNED_MAX = 20;
const LOOKED_AT_MAX = 1_000;

/** Pages that a model found on the web, as its provider reports them: bounded, each page once, nothing but web addresses. */
export class ReplySources {
  readonly #found = new Map<string, { source: WebSource; isCited: boolean }>();
  #lookedAt = 0;

  add(pages: readonly FoundPage[]): void {
    for (const { url, title, isCited = false } of pages) {
      if (this.#lookedAt >= LOOKED_AT_MAX) return;
      this.#lookedAt += 1;
      const source = webSource(url, title);
      if (source) this.#note(source, isCited);
    }
  }

  /** Those that the text refers to first; undefined when there are none. */
  list(): readonly WebSource[] | undefined {
    const found = [...this.#found.values()];
    const inOrder = [...found.filter(({ isCited }) => isCited), ...found.filter(({ isCited }) => !isCited)];
    return inOrder.length === 0 ? undefined : inOrder.slice(0, RETURNED_MAX).map(({ source }) => source);
  }

  #note(source: WebSource, isCited: boolean): void {
    const key = addressKey(source.url);
    const known = this.#found.get(key);
    if (known) known.isCited ||= isCited;
    else if (this.#found.size < KEPT_MAX) this.#found.set(key, { source, isCited });
  }
}

/** The tool calls of a reply as they grow, and what the model thinks of them. */
export class ReplyToolCalls {
  readonly #calls: (Omit<ToolCall, 'arguments'> & { readonly text: ReplyText })[] = [];

  readonly reasoning = new ReplyReasoning();

  add({ index, begins, arguments: text }: ToolCallPiece): void {
    if (begins) this.#calls[index] = { ...begins, text: new ReplyText() };
    this.#calls[index]?.text.add(text);
  }

  /** All of them so far; of the reasoning its items alone, where its texts were passed on. */
  told(arePassedOn: boolean): Pick<AnsweredCall, 'toolCalls' | 'reasoning'> {
    const toolCalls = this.#calls.map(({ id, name, text }) => ({ id, name, arguments: text.toString() }));
    const whole = this.reasoning.whole();
    const { reasoning_details: items } = whole ?? {};
    const reasoning = arePassedOn ? items && { reasoning_details: items } : whole;
    return { ...(toolCalls.length > 0 && { toolCalls }), ...(reasoning && { reasoning }) };
  }
}
