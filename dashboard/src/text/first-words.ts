import { visibleText } from './visible-text';

const SPACES = /\s+/g;
/** A word that is this much of what there is room for is cut rather than left out. */
const LONG_WORD_SHARE = 0.5;

/** The beginning of a text in a line of at most so many characters, whole words if they are not long. */
export function firstWords(text: string, charactersMax: number): string {
  // Twice as much holds it, unless a page of spaces comes first.
  const line = visibleText(text.trimStart().slice(0, 2 * charactersMax))
    .replace(SPACES, ' ')
    .trim();
  const characters = [...line];
  if (characters.length <= charactersMax && text.trim().length <= 2 * charactersMax) return line;
  const cut = characters.slice(0, charactersMax).join('');
  const end = `${cut}${characters[charactersMax] ?? ''}`.lastIndexOf(' ');
  return `${(end > cut.length * LONG_WORD_SHARE ? cut.slice(0, end) : cut).trimEnd()} …`;
}

/** The number of words of a text. */
export function wordCount(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}
