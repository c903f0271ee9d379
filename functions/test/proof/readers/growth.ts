import { isLongMode } from '../../support/long-mode';
import { HOSTILE_TEXTS, type HostileText } from './hostile-texts';

/** Reads a text in some way; what it returns or throws does not matter. */
export type Reader = (text: string) => unknown;
export type Readers = Readonly<Record<string, Reader>>;

const KIB = 1024;
const SIZE_MIN = (isLongMode ? 64 : 32) * KIB;
/** At length 512 KiB, then 1 and 4 MiB. */
const DOUBLINGS = isLongMode ? [3, 4, 6] : [3, 4];
/** Twice the text takes twice the time, or a little more; four times would be quadratic. */
const RATIO_MAX = 3.2;
/** A reader within so many plain passes over the text is linear by any measure, and need not be timed again. */
const PASSES_ALLOWED = 100;
const TRIES = 5;
/** A ratio beyond the limit is the reader's then, not the machine's. */
const UNMISTAKABLE_MS = 2_000;

/** Nobody can stop the event loop with a text: reading one takes time in proportion to its length, whatever it says. */
export function readsInLinearTime(readers: Readers, texts = HOSTILE_TEXTS): void {
  it.each(Object.entries(readers))(
    '%s: twice the text, twice the time',
    async (_, reader) => {
      expect(await growsFaster(reader, texts)).toEqual([]);
    },
    600_000,
  );
}

/** The hostile texts for which `reader` takes more than linear time, and the times found; empty when there are none. */
async function growsFaster(reader: Reader, texts: readonly HostileText[]): Promise<string[]> {
  const found: string[] = [];
  for (const { made, ofLength } of texts) {
    if (!isLongMode && (await isQuick(reader, ofLength(SIZE_MIN)))) continue;
    const flaw = await flawIn(reader, ofLength);
    if (flaw !== undefined) found.push(`${made}: ${flaw}`);
  }
  return found;
}

async function isQuick(reader: Reader, text: string): Promise<boolean> {
  const passMs = await timeMs(onePass, text);
  return (
    (await timeMs(reader, text)) <= PASSES_ALLOWED * passMs || (await timeMs(reader, text)) <= PASSES_ALLOWED * passMs
  );
}

/** Times of longer texts, if no length shows the time to grow as it should; the longer, the less a busy machine counts. */
async function flawIn(reader: Reader, ofLength: HostileText['ofLength']): Promise<string | undefined> {
  const shortest = ofLength(SIZE_MIN);
  let flaw: string | undefined;
  for (const doublings of DOUBLINGS) {
    const times = 2 ** doublings;
    const text = ofLength(SIZE_MIN * times);
    const limit = RATIO_MAX ** doublings;
    let shortMs = Infinity;
    let longMs = Infinity;
    // The quickest of several tries, which end when one is good.
    for (let tries = 0; tries === 0 || (tries < TRIES && longMs > limit * shortMs); tries += 1) {
      shortMs = Math.min(shortMs, (await timeMs(reader, shortest, times)) / times);
      longMs = Math.min(longMs, await timeMs(reader, text));
    }
    const ratio = longMs / shortMs;
    flaw =
      ratio > limit ? `${text.length >> 10} KiB took ${ratio.toFixed(1)} × the time of ${SIZE_MIN >> 10}` : undefined;
    const isCertain = flaw === undefined ? !isLongMode : longMs > UNMISTAKABLE_MS;
    if (isCertain) break;
  }
  return flaw;
}

/** The clock that what is measured is measured by: reads each character once. */
function onePass(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum = (sum * 31 + text.charCodeAt(at)) | 0;
  return sum;
}

/**
 * The time of so many readings. What is compared should take equally long, since a busy machine spares the short: a single one
 * of them is over before the processor turns to something else.
 */
async function timeMs(reader: Reader, text: string, times = 1): Promise<number> {
  const startedMs = performance.now();
  for (let count = 0; count < times; count += 1) {
    try {
      const read = reader(text);
      if (read instanceof Promise) await read;
    } catch {
      // A reader may refuse what it is given.
    }
  }
  return performance.now() - startedMs;
}
