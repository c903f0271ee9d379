import { FenceNumbers } from './fence-numbers';
import { type KnownMarks, MarkLines } from './mark-lines';

/** A model that writes down nothing but its task does so without an end. */
const INSTEAD_CHARACTERS_MAX = 4_096;

/** A reply in one piece without the marks that it copies. Linear. */
export function withoutCopiedMarks(reply: string, known: KnownMarks): string {
  const marks = new CopiedMarks(known);
  return marks.read(reply) + marks.end();
}

/**
 * Takes the marks out of a reply that comes in pieces; what comes out does not depend on how it was cut. A fence goes
 * wherever it stands, and so do lines that repeat the task, unless there is nothing else and nothing to replace it; with
 * them go the blank lines behind where nothing is said before. Within a line the number of the fences goes alone. Lines that end a reply go at its very end only. Held back are the one line that may
 * still become a mark and such last lines before it; everything else goes through at once. Linear.
 */
export class CopiedMarks {
  readonly #lines: MarkLines;
  readonly #numbers: FenceNumbers;
  readonly #isReplaceable: boolean;
  /** Held-back part of the current line. */
  #line = '';
  /** True if the line under way was begun to be passed on. */
  #passing = false;
  /** Last lines that go if nothing follows them, with the blank ones behind. */
  #tail = '';
  /** Words of those lines that stay. */
  #tailWords = '';
  /** True if anything but blanks was passed on. */
  #spoken = false;
  /** True if a fence or a line of the task was taken out. */
  #taken = false;
  /** The lines of the task that were: better than nothing. */
  #instead = '';

  constructor(known: KnownMarks) {
    this.#lines = new MarkLines(known);
    this.#numbers = new FenceNumbers(known.nonce);
    this.#isReplaceable = known.isReplaceable;
  }

  /** Takes the next piece; returns what can be passed on. */
  read(piece: string): string {
    const parts = piece.split(/(?<=\n)/).map((part) => this.#readPart(part));
    return this.#numbers.read(parts.join(''));
  }

  /** The reply has ended; returns the rest of it. */
  end(): string {
    return this.#numbers.read(this.#linesEnded()) + this.#numbers.end();
  }

  #linesEnded(): string {
    if (this.#lines.isTaskCutOff(this.#line)) this.#takeTask();
    const isDone = this.#line === '' || this.#lines.isFenceCutOff(this.#line);
    const last = isDone ? '' : this.#lineEnded();
    const rest = last + this.#tailWords;
    this.#tail = '';
    this.#tailWords = '';
    return this.#spoken || rest.trim() !== '' || this.#isReplaceable ? rest : this.#instead;
  }

  /** A part is within one line. */
  #readPart(part: string): string {
    const isEnd = part.endsWith('\n');
    if (this.#passing) {
      this.#passing = !isEnd;
      return part;
    }
    this.#line += part;
    if (isEnd) return this.#lineEnded();
    if (this.#lines.mayBegin(this.#line)) return '';
    this.#passing = true;
    this.#spoken = true;
    return this.#released();
  }

  #lineEnded(): string {
    const line = this.#line.replace(/\n$/, '');
    if (!this.#lines.mayBegin(line)) return this.#released();
    const isLeading = this.#taken && !this.#spoken && this.#tail === '';
    if (this.#lines.isFence(line) || (isLeading && line.trim() === '')) {
      this.#taken = true;
      this.#line = '';
      return '';
    }
    if (this.#lines.isTask(line)) return this.#takeTask();
    const answer = this.#lines.answerIn(line);
    if (answer !== undefined) {
      // Only the very last answer is one: what was held before another stays.
      const before = this.#tailWords === '' ? '' : this.#tailReleased();
      return before + this.#held(answer);
    }
    const isSpoken = this.#spoken || this.#tail !== '';
    const isBlankBehind = line.trim() === '' && this.#tail !== '';
    return isBlankBehind || this.#lines.isLastLine(line, isSpoken) ? this.#held('') : this.#released();
  }

  #takeTask(): string {
    if (this.#instead.length < INSTEAD_CHARACTERS_MAX) this.#instead += this.#line;
    this.#taken = true;
    this.#line = '';
    return '';
  }

  #held(words: string): string {
    this.#tail += this.#line;
    this.#tailWords += words;
    this.#line = '';
    return '';
  }

  #released(): string {
    const text = this.#tailReleased() + this.#line;
    this.#spoken ||= text.trim() !== '';
    this.#line = '';
    return text;
  }

  #tailReleased(): string {
    const text = this.#tail;
    this.#spoken ||= text !== '';
    this.#tail = '';
    this.#tailWords = '';
    return text;
  }
}
