/** Time between two chunks of a paced stream: 50 of them take 690 ms. */
export const PACE_MS = 13.8;

let drafts = 0;

/**
 * Behaviour of a fake model, by its name: `fake-instant` answers at once, `fake-<n>ms` after n ms, `fake-stream-<n>` with n
 * chunks in step, `fake-burst-<n>` with n chunks back to back, `fake-draft` with some 3,000 characters of prose at once.
 */
export function fakeModel(name) {
  if (name === 'fake-instant') return { chunks: 1, delayMs: 0, paceMs: 0 };
  if (name === 'fake-draft') return { chunks: 1, delayMs: 0, paceMs: 0, isDraft: true };
  const [, kind, count] = /^fake-(stream-|burst-)?(\d+)(?:ms)?$/.exec(name) ?? [];
  if (count === undefined) return undefined;
  if (kind === 'stream-') return { chunks: Number(count), delayMs: PACE_MS, paceMs: PACE_MS };
  if (kind === 'burst-') return { chunks: Number(count), delayMs: 0, paceMs: 0 };
  return { chunks: 1, delayMs: Number(count), paceMs: 0 };
}

/** The text of one chunk: a lost, doubled or misplaced one shows, and with a tag one of another stream. */
export function pieceOf(index, tag = 'w') {
  return `${tag}-${index} `;
}

/** The whole answer of a model. */
export function textOf({ chunks }, tag) {
  return Array.from({ length: chunks }, (_, index) => pieceOf(index, tag)).join('');
}

/** Prose with the quotes and dashes that models write, no two drafts the same. */
export function draft() {
  drafts += 1;
  return Array.from(
    { length: 30 },
    (_, index) => `Point ${drafts + index} – “as far as it’s known” – holds for all but ${index}. `,
  )
    .join('')
    .slice(drafts % 500);
}
