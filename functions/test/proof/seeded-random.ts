import { randomInt } from 'node:crypto';

/** Repeatable random numbers (xorshift32), so that a failure can be had again. */
export interface SeededRandom {
  readonly seed: number;
  /** A whole number from 0 to `below` - 1. */
  below(below: number): number;
}

/** Seeded by `PROOF_SEED` when it is set, else by `usual`, else anew each time. */
export function seededRandom(usual = randomInt(1, 2 ** 31)): SeededRandom {
  const seed = Number(process.env['PROOF_SEED'] ?? usual);
  let state = seed;
  return {
    seed,
    below: (below) => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return (state >>> 0) % below;
    },
  };
}

/** Runs `check` and names the seed when it throws. */
export async function withSeed({ seed }: SeededRandom, check: () => Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    throw new Error(`with PROOF_SEED=${seed}: ${(error as Error).message}`, { cause: error });
  }
}
