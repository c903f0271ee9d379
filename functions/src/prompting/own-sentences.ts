/** A line of shorter sentences alone may well be a reply's own. */
const WORDS_MIN = 5;
/** Share of the pairs of words of a line that stand in the task: above it, the line says the task again. */
const REWORDED_SHARE_MIN = 0.4;
/** A line that goes on for longer is text, and is not held back. */
const LINE_CHARACTERS_MAX = 1_200;
const OPENING_MARKS = /^\s*(?:["'“«>*#-]+\s*|[A-P][.:)] )+/;
const LABEL_BEGUN = /^\s*[A-P][.:)]? ?$/;
const LETTER = /[\p{L}\p{N}]/u;
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
  #pairs: ReadonlySet<string> | undefined;

  constructor(task: readonly string[], usersWords: readonly string[]) {
    this.#task = task;
    this.#usersWords = usersWords;
  }

  /** True of every beginning of a line of nothing else. */
  mayBegin(line: string): boolean {
    if (line.length > LINE_CHARACTERS_MAX || line.trim() === '') return false;
    if (LABEL_BEGUN.test(line)) return true;
    const { found, rest } = this.#read(line);
    return found.some(isTelling) || this.#isBegun(rest);
  }

  /** True of a line of one or more of them, the rest of which, if any, is the task in other words. */
  isAll(line: string): boolean {
    if (line.length > LINE_CHARACTERS_MAX) return false;
    const { found, rest } = this.#read(line);
    if (!found.some(isTelling) || found.some((sentence) => this.#isUsers(sentence))) return false;
    return !LETTER.test(rest) || this.#isReworded(rest);
  }

  /** True where most pairs of words that follow each other do so in the task. */
  #isReworded(text: string): boolean {
    const pairs = pairsOf(text);
    this.#pairs ??= new Set(pairsOf(this.#task.join('\n')));
    return pairs.filter((pair) => this.#pairs?.has(pair)).length > pairs.length * REWORDED_SHARE_MIN;
  }

  /** True if a reply that ends with this line has broken off in one of them, of which enough is there to tell. */
  isCutOff(line: string): boolean {
    if (countWords(line) < WORDS_MIN || !this.mayBegin(line)) return false;
    const { rest } = this.#read(line);
    return this.isAll(line) || (this.#isBegun(rest) && !this.#isUsers(line.trim()));
  }

  /** The sentences that a line begins with, and what follows them. */
  #read(line: string): { readonly found: readonly string[]; readonly rest: string } {
    const found: string[] = [];
    let rest = line.replace(OPENING_MARKS, '').trim();
    for (;;) {
      const first = this.#known().find((sentence) => rest.startsWith(sentence));
      if (first === undefined) return { found, rest };
      found.push(first);
      rest = rest.slice(first.length).trimStart();
    }
  }

  #isBegun(words: string): boolean {
    return this.#known().some((sentence) => sentence.startsWith(words));
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

/** Words of the task that nobody says by chance. */
function isTelling(sentence: string): boolean {
  return countWords(sentence) >= WORDS_MIN;
}

function pairsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
  return words.slice(1).map((word, index) => `${words[index]} ${word}`);
}

function countWords(text: string): number {
  return text.trim().split(/\s+/).length;
}
