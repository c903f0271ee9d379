import { createHash } from 'node:crypto';

/** Random choices that are the same for the same seed. */
export interface SeededRandom {
  /** A whole number from 0 to `below` - 1. */
  below(below: number): number;
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number;
  pick<T>(items: readonly T[]): T;
  /** Several of the items, none twice, in random order. */
  sample<T>(items: readonly T[], count: number): T[];
  shuffle<T>(items: readonly T[]): T[];
}

/** The generator is sfc32; the seed may be any text. */
export function seededRandom(seed: string): SeededRandom {
  const digest = createHash('sha256').update(seed).digest();
  const state = new Uint32Array([0, 4, 8, 12].map((at) => digest.readUInt32LE(at)));
  const below = (limit: number): number => next(state) % limit;
  const shuffle = <T>(items: readonly T[]): T[] => {
    const shuffled = [...items];
    for (let left = shuffled.length; left > 1; left -= 1) {
      const at = below(left);
      [shuffled[at], shuffled[left - 1]] = [shuffled[left - 1] as T, shuffled[at] as T];
    }
    return shuffled;
  };
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    pick: <T>(items: readonly T[]) => items[below(items.length)] as T,
    sample: (items, count) => shuffle(items).slice(0, count),
    shuffle,
  };
}

function next(state: Uint32Array): number {
  const [a = 0, b = 0, c = 0, counter = 0] = state;
  const sum = (a + b + counter) >>> 0;
  state[0] = b ^ (b >>> 9);
  state[1] = c + (c << 3);
  state[2] = ((c << 21) | (c >>> 11)) + sum;
  state[3] = counter + 1;
  return sum;
}
