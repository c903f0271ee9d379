import { createHash } from 'node:crypto';

/** A text as a reader sees it: under a letter instead of its author's name. */
export interface Labelled {
  readonly label: string;
  readonly text: string;
}

/** A text under a label, and whose it is; its reader is not told. */
export interface AuthoredText extends Labelled {
  readonly seat: { readonly id: string };
}

/** A text under its label, as a prompt shows it. */
export function labelledText({ label, text, seat }: AuthoredText) {
  return { title: label, text, by: seat.id } as const;
}

/** Seed of an order: request, reader and step, so that no two readers share one. */
export interface ShuffleKey {
  readonly requestId: string;
  readonly reader: string;
  readonly step: string;
}

/** Shuffles `items` for one reader and step and labels them A, B, … Z, AA, … */
export function labelShuffled<T extends object>(items: readonly T[], key: ShuffleKey): (T & Pick<Labelled, 'label'>)[] {
  return shuffled(items, key).map((item, index) => ({ ...item, label: letterLabel(index) }));
}

/** `items` in an order that is a pure function of the key. */
export function shuffled<T>(items: readonly T[], key: ShuffleKey): T[] {
  const random = randomStream(`${key.requestId}\n${key.reader}\n${key.step}`);
  const order = [...items];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const pick = random(last + 1);
    const [a, b] = [order[last], order[pick]];
    if (a !== undefined && b !== undefined) [order[last], order[pick]] = [b, a];
  }
  return order;
}

/** 0 → A, 25 → Z, 26 → AA. */
export function letterLabel(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : letterLabel(Math.floor(index / 26) - 1) + letter;
}

/** A deterministic stream of uniform integers below `limit`, from SHA-256 in counter mode with rejection sampling. */
function randomStream(seed: string): (limit: number) => number {
  let counter = 0;
  let block = Buffer.alloc(0);
  const nextUint32 = (): number => {
    if (block.length < 4) {
      block = createHash('sha256').update(`${seed}\n${counter}`).digest();
      counter += 1;
    }
    const value = block.readUInt32BE(0);
    block = block.subarray(4);
    return value;
  };
  return (limit) => {
    const ceiling = Math.floor(2 ** 32 / limit) * limit;
    let value = nextUint32();
    while (value >= ceiling) value = nextUint32();
    return value % limit;
  };
}
