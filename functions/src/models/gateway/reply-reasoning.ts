import type { Reasoning } from '../reasoning';
import { ReplyText } from './reply-text';

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

  add(piece: Reasoning): void {
    if (this.characters > CHARACTERS_MAX) return;
    const json = `${JSON.stringify(piece)},`;
    this.characters += json.length;
    this.#pieces.add(json);
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
