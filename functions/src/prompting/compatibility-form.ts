/** Half of the longest run of combining marks that any language needs (Unicode, UAX 15, Stream-Safe Text Format). */
const LONG_RUN_OF_MARKS = /\p{M}{30}/gu;
/** Combining grapheme joiner: marks are not sorted across it. */
const JOINER = '\u034f';

/**
 * A text in NFKC, where full-width and plain letters, `½` and `1⁄2` are the same. Marks that follow one letter are sorted
 * in it, which takes quadratic time (128 Ki of them a second, 4 Mi a quarter of an hour): long runs are parted first.
 */
export function compatibilityForm(text: string): string {
  return text.replace(LONG_RUN_OF_MARKS, `$&${JOINER}`).normalize('NFKC');
}
