import { editDistance } from '../lib/edit-distance';

/** A word so far away is another word. */
const TYPOS_MAX = 3;
/** No word of ours is longer; the distance of longer ones takes time. */
const CHARACTERS_MAX = 40;

/** The known word that was most likely meant; undefined when none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (word.length > CHARACTERS_MAX) return undefined;
  const typosMax = Math.min(TYPOS_MAX, Math.floor(word.length / 2));
  const rows = known.map((one) => ({ one, distance: editDistance(word.toLowerCase(), one) }));
  return rows.filter(({ distance }) => distance <= typosMax).sort((a, b) => a.distance - b.distance)[0]?.one;
}

/** `unknown <what>, did you mean …?`, or the known words where none is near. */
export function unknownText(what: string, word: string, known: readonly string[]): string {
  const meant = nearest(word, known);
  const hint = meant === undefined ? `known are ${known.join(', ')}` : `did you mean ${meant}?`;
  return `unknown ${what} ${word}: ${hint}`;
}
