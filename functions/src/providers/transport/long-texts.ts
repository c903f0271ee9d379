import { randomBytes } from 'node:crypto';
import type { InTurn } from '../../lib/turns';
import { type ChatTurn, LONG_TEXT_CHARACTERS, piecesOf } from '../../models/model';

/** A piece of a long text must itself be this long to be encoded for all. */
const SHARED_PIECE_CHARACTERS = 4 * 1024;
/** One that is longer than this is encoded in slices of this length, each in its turn: 4 Mi characters take 40 ms. */
const SLICE_CHARACTERS = 256 * 1024;

/** Stands for a text in a request; unguessable, so that no text can hold one. */
const MARK = `long-text-${randomBytes(16).toString('hex')}-`;
const MARKS = new RegExp(`${MARK}(\\d+)`);

/** The bytes of a body, in order, and how many there are. To be released once they were sent, or will not be. */
export interface SharedBody {
  readonly pieces: readonly Buffer[];
  readonly byteLength: number;
  release(): void;
}

/** Pieces on their way to a provider, as JSON, and how many bodies they are in. */
const inUse = new Map<string, { readonly bytes: Promise<readonly Buffer[]>; bodies: number }>();

const atOnce: InTurn = async (_, work) => work();

/** The long texts of one request: a mark stands for each in the SDK’s JSON; its bytes are encoded once for all calls. */
export class LongTexts {
  readonly #texts: (readonly string[])[] = [];
  readonly #inTurn: InTurn;

  constructor(inTurn: InTurn = atOnce) {
    this.#inTurn = inTurn;
  }

  /** The text of a turn, or its mark. */
  of(turn: Pick<ChatTurn, 'text' | 'pieces'>): string {
    if (turn.text.length < LONG_TEXT_CHARACTERS) return turn.text;
    return `${MARK}${this.#texts.push(piecesOf(turn)) - 1}`;
  }

  /** The body whose JSON holds the marks; undefined when there is none in it. */
  bodyOf(json: string): Promise<SharedBody> | undefined {
    return this.#texts.length > 0 ? this.#bodyOf(json) : undefined;
  }

  async #bodyOf(json: string): Promise<SharedBody> {
    // Every second part is the number of a text.
    const parts = json.split(MARKS);
    const texts = parts.map((part, index) => (index % 2 === 0 ? part : (this.#texts[Number(part)] ?? [])));
    const shared = texts.flatMap((text) => (typeof text === 'string' ? [] : text));
    const bytes = texts.flatMap((text) =>
      typeof text === 'string' ? [[Buffer.from(text)]] : text.map((piece) => encoded(piece, this.#inTurn)),
    );
    const pieces = (await Promise.all(bytes)).flat();
    return {
      pieces,
      byteLength: pieces.reduce((sum, { length }) => sum + length, 0),
      release: () => {
        for (const piece of shared.splice(0)) giveBack(piece);
      },
    };
  }
}

/** A piece as it stands between the quotes of a JSON string. */
function encoded(piece: string, inTurn: InTurn): Promise<readonly Buffer[]> | readonly Buffer[] {
  if (piece.length < SHARED_PIECE_CHARACTERS) return [jsonBytes(piece)];
  const known = inUse.get(piece) ?? { bytes: jsonSlices(piece, inTurn), bodies: 0 };
  known.bodies += 1;
  inUse.set(piece, known);
  return known.bytes;
}

function giveBack(piece: string): void {
  const known = inUse.get(piece);
  if (!known) return;
  known.bodies -= 1;
  if (known.bodies === 0) inUse.delete(piece);
}

async function jsonSlices(text: string, inTurn: InTurn): Promise<readonly Buffer[]> {
  if (text.length <= SLICE_CHARACTERS) return [jsonBytes(text)];
  const slices: Buffer[] = [];
  for (let start = 0; start < text.length; ) {
    const slice = text.slice(start, endOfSlice(text, start));
    slices.push(await inTurn(slice.length, () => jsonBytes(slice)));
    start += slice.length;
  }
  return slices;
}

/** End of a slice: never between the halves of a surrogate pair, neither of which would stay what it is. */
function endOfSlice(text: string, start: number): number {
  const end = start + SLICE_CHARACTERS;
  return (text.codePointAt(end - 1) ?? 0) > 0xffff ? end + 1 : end;
}

function jsonBytes(text: string): Buffer {
  return Buffer.from(JSON.stringify(text.toWellFormed())).subarray(1, -1);
}
