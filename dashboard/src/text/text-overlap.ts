/** A sentence of a text, and which of some others it stands in, by their places. */
export interface SharedSentence {
  readonly text: string;
  readonly in: readonly number[];
}

/** The overlap of a text with others. */
export interface Overlap {
  readonly sentences: readonly SharedSentence[];
  /** For each of the others: the share of the text's word pairs that stand there too, from 0 to 1. */
  readonly shares: readonly number[];
  /** True if the text is longer than what was compared. */
  readonly isCut: boolean;
}

/** A sentence stands elsewhere if at least this share of its word pairs does. */
const SHARE_MIN = 0.6;
/** The most characters of a text that are compared. */
export const COMPARED_MAX = 40_000;
const SENTENCES_MAX = 400;
const LIST_MARK = /^\s*(?:[-*•]|\d{1,4}\.)\s/;

const SENTENCES = new Intl.Segmenter(undefined, { granularity: 'sentence' });
const WORDS = new Intl.Segmenter(undefined, { granularity: 'word' });

/** The overlap of a text with others: whatever writing it is in, words are compared, two in a row at a time. */
export function overlapOf(text: string, others: readonly string[]): Overlap {
  const known = others.map((other) => new Set(pairsOf(other.slice(0, COMPARED_MAX))));
  const all = [...SENTENCES.segment(text.slice(0, COMPARED_MAX))].map(({ segment }) =>
    segment.replace(LIST_MARK, '').trim(),
  );
  const sentences = all.filter((one) => /[\p{L}\p{N}]/u.test(one)).slice(0, SENTENCES_MAX);
  const pairs = sentences.map(pairsOf);
  return {
    sentences: sentences.map((sentence, at) => ({
      text: sentence,
      in: known.flatMap((one, place) => (shareIn(one, pairs[at] ?? []) >= SHARE_MIN ? [place] : [])),
    })),
    shares: known.map((one) => shareIn(one, pairs.flat())),
    isCut: text.length > COMPARED_MAX || all.length > SENTENCES_MAX,
  };
}

/** The words of a text, without case. */
export function wordsOf(text: string): string[] {
  return [...WORDS.segment(text.toLowerCase())].flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []));
}

/** Each word with the one behind it; a single word by itself. */
function pairsOf(text: string): string[] {
  const words = wordsOf(text);
  return words.length === 1 ? words : words.slice(1).map((word, at) => `${words[at]} ${word}`);
}

function shareIn(known: ReadonlySet<string>, pairs: readonly string[]): number {
  return pairs.length === 0 ? 0 : pairs.filter((pair) => known.has(pair)).length / pairs.length;
}
