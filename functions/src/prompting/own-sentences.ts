/** A line of shorter sentences alone may well be a reply's own. */
const WORDS_MIN = 5;
/** A line that goes on for longer is text, and is not held back. */
const LINE_CHARACTERS_MAX = 1_200;
const SENTENCE_END = /(?<=[.!?:])\s+/;

/**
 * The sentences with which a prompt has asked for a reply: a weak model may write them down again instead of following
 * them. One that the user has said, too, is the user's own.
 */
export class OwnSentences {
  readonly #task: readonly string[];
  readonly #usersWords: readonly string[];
  /** Taken apart when a line ends or breaks off for the first time, and once. */
  #sentences: readonly string[] | undefined;

  constructor(task: readonly string[], usersWords: readonly string[]) {
    this.#task = task;
    this.#usersWords = usersWords;
  }

  /** True of every beginning of a line of nothing else. */
  mayBegin(line: string): boolean {
    if (line.length > LINE_CHARACTERS_MAX || line.trim() === '') return false;
    const { rest } = this.#read(line);
    return this.#known().some((sentence) => sentence.startsWith(rest));
  }

  /** Whether a line is one or more of them, and nothing else. */
  isAll(line: string): boolean {
    if (line.length > LINE_CHARACTERS_MAX) return false;
    const { found, rest } = this.#read(line);
    const isTelling = found.some((sentence) => countWords(sentence) >= WORDS_MIN);
    return rest === '' && isTelling && found.every((sentence) => !this.#isUsers(sentence));
  }

  /** Whether a reply that ends with this line has broken off in one of them, of which enough is there to tell. */
  isCutOff(line: string): boolean {
    return countWords(line) >= WORDS_MIN && this.mayBegin(line) && !this.#isUsers(line.trim());
  }

  /** The sentences that a line begins with, and what follows them. */
  #read(line: string): { readonly found: readonly string[]; readonly rest: string } {
    const found: string[] = [];
    let rest = line.trim();
    for (;;) {
      const first = this.#known().find((sentence) => rest.startsWith(sentence));
      if (first === undefined) return { found, rest };
      found.push(first);
      rest = rest.slice(first.length).trimStart();
    }
  }

  #known(): readonly string[] {
    this.#sentences ??= sentencesOf(this.#task);
    return this.#sentences;
  }

  #isUsers(words: string): boolean {
    return this.#usersWords.some((text) => text.includes(words));
  }
}

/** The longest first: one may begin like another. */
function sentencesOf(task: readonly string[]): string[] {
  const lines = task.flatMap((block) => block.split('\n'));
  const sentences = new Set(lines.flatMap((line) => line.trim().split(SENTENCE_END)));
  return [...sentences].filter((text) => text !== '').sort((a, b) => b.length - a.length);
}

function countWords(text: string): number {
  return text.trim().split(/\s+/).length;
}
