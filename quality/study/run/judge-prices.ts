import type { Client } from '../service/client.ts';
import type { Price } from './prices.ts';

/** What a judgement of texts of so many characters may cost. */
export type JudgePrices = (judge: string, texts: readonly number[]) => Price;

/** The service's own words to a judge, in characters. */
const RUBRIC_CHARACTERS = 6_000;
const USUAL_CHARACTERS = 20_000;
const LONG_CHARACTERS = 100_000;
/** Both orders. */
const READINGS = 2;
/** A reading that cannot be used is asked for once more. */
const REPAIRED = 2;
const NANO = 1e9;

/** Asks for the plan of one call to each judge with a text of two lengths; what is in between or beyond lies on a line. */
export async function askJudgePrices(client: Client, judges: readonly string[]): Promise<JudgePrices> {
  const lines = new Map<string, { readonly low: number; readonly high: number; readonly each: number }>();
  for (const judge of judges) {
    const asked = async (characters: number) =>
      (await client.plan({ model: judge, ai_ensemble: {} }, 'word '.repeat(characters / 5))).costUsd;
    const [usual, long] = [await asked(USUAL_CHARACTERS), await asked(LONG_CHARACTERS)];
    const each = Math.max(0, (long.high - usual.high) / (LONG_CHARACTERS - USUAL_CHARACTERS));
    lines.set(judge, { ...usual, each });
  }
  return (judge, texts) => {
    const { low = 0, high = 0, each = 0 } = lines.get(judge) ?? {};
    const characters = RUBRIC_CHARACTERS + texts.reduce((sum, length) => sum + length, 0);
    const beyond = Math.max(0, characters - USUAL_CHARACTERS) * each;
    // A verdict on two texts is about as long as a plan takes an answer to be.
    const verdicts = Math.ceil(texts.length / 2);
    return {
      lowNanoUsd: Math.round(READINGS * low * NANO),
      highNanoUsd: Math.ceil(READINGS * REPAIRED * (high * verdicts + beyond) * NANO),
    };
  };
}
