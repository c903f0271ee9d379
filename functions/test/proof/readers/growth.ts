import { isLongMode } from '../../support/long-mode';
import type { HostileText } from './hostile-texts';

/** Reads a text in some way; what it returns or throws does not matter. */
export type Reader = (text: string) => unknown;

const KIB = 1024;
const SIZE_MIN = 64 * KIB;
const SIZE_MAX = (isLongMode ? 4096 : 256) * KIB;
/** Twice the text takes twice the time; four times would be quadratic. */
const RATIO_MAX = 3.2;
/** A reader within so many plain passes over the text is linear by any measure, and need not be timed again. */
const PASSES_ALLOWED = 12;
const TRIES = 5;

/** The hostile texts for which `reader` takes more than linear time, with the ratios found; empty when there are none. */
export async function growsFaster(reader: Reader, texts: readonly HostileText[]): Promise<string[]> {
  const found: string[] = [];
  for (const { made, ofLength } of texts) {
    if (!isLongMode && (await isQuick(reader, ofLength(SIZE_MIN)))) continue;
    const ratios = await ratiosOf(reader, ofLength);
    if (ratios.some((ratio) => ratio > RATIO_MAX)) found.push(`${made}: ×${ratios.map((one) => one.toFixed(1)).join(', ×')}`);
  }
  return found;
}

async function isQuick(reader: Reader, text: string): Promise<boolean> {
  const passMs = await timeMs(onePass, text);
  return (await timeMs(reader, text)) <= PASSES_ALLOWED * passMs || (await timeMs(reader, text)) <= PASSES_ALLOWED * passMs;
}

/** What each doubling multiplies the time by: the quickest of several tries, until it is within the limit or they are over. */
async function ratiosOf(reader: Reader, ofLength: HostileText['ofLength']): Promise<number[]> {
  const ratios: number[] = [];
  for (let size = SIZE_MIN; size < SIZE_MAX; size *= 2) {
    const [one, two] = [ofLength(size), ofLength(2 * size)];
    let [oneMs, twoMs] = [Infinity, Infinity];
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      oneMs = Math.min(oneMs, await timeMs(reader, one));
      twoMs = Math.min(twoMs, await timeMs(reader, two));
      if (attempt > 0 && twoMs <= RATIO_MAX * oneMs) break;
    }
    ratios.push(twoMs / oneMs);
    if (twoMs > RATIO_MAX * oneMs) break;
  }
  return ratios;
}

/** The clock that what is measured is measured by: reads each character once. */
function onePass(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum = (sum * 31 + text.charCodeAt(at)) | 0;
  return sum;
}

async function timeMs(reader: Reader, text: string): Promise<number> {
  const startedMs = performance.now();
  try {
    const read = reader(text);
    if (read instanceof Promise) await read;
  } catch {
    // A reader may refuse what it is given.
  }
  return performance.now() - startedMs;
}
