/** Between two chunks of a paced stream: 50 of them take 690 ms. */
export const PACE_MS = 13.8;
/** Between two chunks of a tagged stream: 25 a second, as a large model writes. */
export const TAGGED_PACE_MS = 40;
/** A reply of prose comes in this many chunks, evenly over the second half of its time. */
const PROSE_CHUNKS = 11;

/**
 * What a fake model does, told by its name:
 * - `fake-instant`: one chunk at once
 * - `fake-<n>ms`: one chunk after n ms
 * - `fake-stream-<n>`: n chunks, one every 13.8 ms
 * - `fake-burst-<n>`: n chunks written back to back
 * - `fake-hold-<n>`: one chunk after the time n paced chunks take (the same connection time with next to no chunks)
 * - `fake-tagged-<n>`: n chunks, one every 40 ms, each with the prompt's tag in it
 * - `fake-tagged-burst-<n>`: so many chunks back to back, of one character each but for the tag in every hundredth
 * - `fake-prose-<n>ms`: what the prompt asks for, as prose or JSON; first text after n/2 ms, the last after n
 * - `fake-prose-0ms`: the same in one chunk at once
 * Undefined for any other name.
 */
export function fakeModel(name) {
  if (name === 'fake-instant') return { chunks: 1, delayMs: 0, paceMs: 0 };
  const [, kind, count] = /^fake-(stream-|burst-|hold-|prose-|tagged-|tagged-burst-)?(\d+)(?:ms)?$/.exec(name) ?? [];
  if (count === undefined) return undefined;
  const number = Number(count);
  if (kind === 'stream-') return { chunks: number, delayMs: PACE_MS, paceMs: PACE_MS };
  if (kind === 'burst-') return { chunks: number, delayMs: 0, paceMs: 0 };
  if (kind === 'hold-') return { chunks: 1, delayMs: number * PACE_MS, paceMs: 0 };
  if (kind === 'tagged-') return { chunks: number, delayMs: TAGGED_PACE_MS, paceMs: TAGGED_PACE_MS, isTagged: true };
  if (kind === 'tagged-burst-') return { chunks: number, delayMs: 0, paceMs: 0, isTagged: true, isBrief: true };
  if (kind === 'prose-') return proseModel(number);
  return { chunks: 1, delayMs: number, paceMs: 0 };
}

function proseModel(totalMs) {
  if (totalMs === 0) return { chunks: 1, delayMs: 0, paceMs: 0, reads: true };
  return { chunks: PROSE_CHUNKS, delayMs: totalMs / 2, paceMs: totalMs / 2 / (PROSE_CHUNKS - 1), reads: true };
}

/**
 * The text of one chunk, so that a lost, doubled or misplaced one shows; with a tag also one of another stream. Brief texts
 * are next to nothing beside what surrounds them on the wire.
 */
export function pieceOf(index, { tag, isBrief = false } = {}) {
  if (tag === undefined) return `w${index} `;
  return isBrief && index % 100 > 0 ? `${index % 10}` : `${tag}é${index} `;
}

/** The whole answer of a model with so many chunks. */
export function answerOf(chunks, text) {
  return Array.from({ length: chunks }, (_, index) => pieceOf(index, text)).join('');
}
