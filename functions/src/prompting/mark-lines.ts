import { OwnSentences } from './own-sentences';

/** The marks that a prompt may have put before a model. */
export interface KnownMarks {
  /** Number of this request's fences. */
  readonly nonce: string;
  /** Texts of the user: words that stand there are the user's own. */
  readonly usersWords: readonly string[];
  /**
   * Words of the prompt that ask for the reply: the last lines they name are read by the service. Undefined where the
   * service has asked for nothing: no last line is looked for.
   */
  readonly task: readonly string[] | undefined;
  /** True if another text takes the place of a reply that is empty: then one that only repeats its task is empty as well. */
  readonly isReplaceable: boolean;
  /** True if users alone read the reply. Models are shown what another has made up as it is: their fences are told apart. */
  readonly isAnswer: boolean;
}

/** A last line as the prompts spell it. Another spelling, or the word in a sentence, is the reply's own. */
const LAST_LINES: Readonly<Record<string, RegExp>> = {
  REVISION: /^REVISION: (?:kept|changed)(?: \(.*\))?(?:; BALLOT: [A-Z](?: > [A-Z])*)?$/,
  BALLOT: /^BALLOT: [A-Z](?: > [A-Z])*$/,
  STANCE: /^STANCE: (?:holds|concedes)$/,
  DISSENT: /^DISSENT: (?:none|new)$/,
  CHECK: /^CHECK: (?:verified|step \d+: .*)$/,
  PANEL: /^PANEL: (?:no|yes)$/,
};
/** The one that is asked for at the beginning: where anything has been said before it, nobody reads it. */
const FIRST_LINE = 'PANEL';

/** Keyword of an answer line, which loses the keyword and keeps its words: they may stand nowhere else. */
const ANSWER = 'ANSWER';
const KEYWORDS = [...Object.keys(LAST_LINES), ANSWER];

/** No mark is longer: a longer line is text, and is not held back. */
const LINE_CHARACTERS_MAX = 400;
const WRAPPING_BEFORE = /^[\s*_`>#"'“•-]*/;
const WRAPPING_AFTER = /[\s*_`"'”.]/;
const FENCE_BEGUN =
  /^<{1,4}[ \t]?(?:[a-z]?[0-9a-f.]*>{0,4}|[0-9a-f]{5,64}[\s>].*|e(?:n(?:d.*)?)?|t(?:h(?:e.*)?)?|[A-P](?:[,>].*)?)$/is;
/** Fence of this request, garbled or not. */
const OUR_FENCE = /^<{1,4}[ \t]?([0-9a-f]{5,64})(?:\s.*)?>{1,4}$/i;
/** Fence at the end of a reply that broke off within the number or behind it. */
const FENCE_CUT_OFF = /^<{2,4}[ \t]?([0-9a-f]{1,64})($|\s(?!.*>>))/;
/** An invented number without an end: a model that is caught in it writes nothing else any more. */
const NUMBER_CUT_OFF = /^<<([0-9a-f]{16}|(?=\d*[a-f])(?=[a-f]*\d)[0-9a-f]{8,15})[0-9a-f]*$/;
/** Spelt as in the prompts, with a number that is neither a word such as "facade" nor a decimal one. */
const FENCE = /^<<(?=\d*[a-f])(?=[a-f]*\d)([0-9a-f]{6}) \S.*>>$/;
/** Rest of one that a model has made up: a number alone, the letters of texts or the name of the message without a number. */
const MADE_UP = [
  /^<{2,4}[ \t]?[0-9a-f]{12,64}[ \t]?>{2,4}$/,
  /^<{2,4}[a-z]?(?=(?:\.?\d){8})[\d.]{8,64}>{2,4}$/,
  /^<{2,4}(?:end )?[A-P](?:, ?[A-Z][ A-Za-z]{0,40}){0,30}>{2,4}$/,
  /^<{2,4}(?:end of )?the user's message[^<>]*>{2,4}$/,
];
/** Digits of the number of a fence that a garbled copy must at least begin with. */
const GARBLED_DIGITS_MIN = 5;

/** Tells which lines of a reply are copies of the marks of its prompt. Linear in a line, however often it is asked. */
export class MarkLines {
  readonly #known: KnownMarks;
  readonly #own: OwnSentences;
  /** Looked up when such a line comes, and once: the user's words may be long. */
  readonly #asked = new Map<string, boolean>();
  readonly #users = new Map<string, boolean>();
  #usersNonces: ReadonlySet<string> | undefined;

  constructor(known: KnownMarks) {
    this.#known = known;
    this.#own = new OwnSentences(known.task ?? [], known.usersWords);
  }

  /** True of every beginning of a mark, and of blank lines. */
  mayBegin(line: string): boolean {
    if (this.#own.mayBegin(line)) return true;
    if (line.length > LINE_CHARACTERS_MAX) return false;
    const bare = line.replace(WRAPPING_BEFORE, '');
    return bare === '' || FENCE_BEGUN.test(bare) || this.#isOurNumber(line.trim()) || this.#mayBeginLastLine(bare);
  }

  /**
   * True if a line is a fence: one of the request, however it is wrapped, or what is left of its number; one with an
   * invented number only to the letter, and if the user has not said that number; what is left of an invented one in an answer,
   * if the user has written nothing of the kind.
   */
  isFence(line: string): boolean {
    const number = OUR_FENCE.exec(unwrapped(line))?.[1];
    if (number === undefined ? this.#known.nonce === line.trim().toLowerCase() : this.#isOurs(number)) return true;
    const invented = FENCE.exec(line.trimEnd())?.[1];
    if (invented !== undefined) return !this.#isUsersNonce(invented);
    const left = line.trimEnd();
    const isMadeUp = this.#known.isAnswer && MADE_UP.some((pattern) => pattern.test(left));
    return isMadeUp && !says(this.#known.usersWords, '<<', this.#users);
  }

  /** True if a reply that ends with this line has broken off in a fence of the request, or in an invented number. */
  isFenceCutOff(line: string): boolean {
    const [, digits, behind] = FENCE_CUT_OFF.exec(unwrapped(line)) ?? [];
    if (digits === this.#known.nonce || (digits !== undefined && behind === '' && this.#isOurNumber(digits)))
      return true;
    const invented = NUMBER_CUT_OFF.exec(line.trimEnd())?.[1];
    return invented !== undefined && !this.#isUsersNonce(invented);
  }

  /** True if a line says again what the prompt has said to ask for the reply, and nothing else. */
  isTask(line: string): boolean {
    return this.#own.isAll(line);
  }

  /** True if a reply that ends with this line has broken off in such a line. */
  isTaskCutOff(line: string): boolean {
    return this.#own.isCutOff(line);
  }

  /** True if a line is one that ends replies. `spoken` tells whether anything was said before it. */
  isLastLine(line: string, spoken: boolean): boolean {
    const bare = unwrapped(line);
    return Object.entries(LAST_LINES).some(
      ([keyword, pattern]) => pattern.test(bare) && !this.#isReadBySomebody(keyword, spoken),
    );
  }

  /** Words behind the answer keyword, where the prompt has not asked for that keyword. */
  answerIn(line: string): string | undefined {
    const lead = `${ANSWER}: `;
    const words = line.startsWith(lead) && !this.#isReadBySomebody(ANSWER, true) ? line.slice(lead.length).trim() : '';
    return words === '' ? undefined : words;
  }

  /** True of the number of the request's fences, with a digit lost or some added at its end, too. */
  #isOurs(number: string): boolean {
    const { nonce } = this.#known;
    return number.toLowerCase().startsWith(nonce.slice(0, Math.max(GARBLED_DIGITS_MIN, number.length)));
  }

  /** The number of the request's fences, or its beginning. */
  #isOurNumber(text: string): boolean {
    return this.#known.nonce.startsWith(text.toLowerCase());
  }

  #mayBeginLastLine(bare: string): boolean {
    if (this.#known.task === undefined) return false;
    return KEYWORDS.some((keyword) => {
      const lead = `${keyword}: `;
      return bare.startsWith(lead) ? !this.#isReadBySomebody(keyword, true) : lead.startsWith(bare);
    });
  }

  #isReadBySomebody(keyword: string, spoken: boolean): boolean {
    const { task, usersWords } = this.#known;
    if (task === undefined || says(usersWords, `${keyword}:`, this.#users)) return true;
    return !(spoken && keyword === FIRST_LINE) && says(task, `${keyword}: `, this.#asked);
  }

  #isUsersNonce(nonce: string): boolean {
    this.#usersNonces ??= new Set(this.#known.usersWords.flatMap((text) => text.match(/(?<=<<)[0-9a-f]{6,16}/g) ?? []));
    return this.#usersNonces.has(nonce);
  }
}

function says(texts: readonly string[], words: string, known: Map<string, boolean>): boolean {
  const said = known.get(words) ?? texts.some((text) => text.includes(words));
  known.set(words, said);
  return said;
}

/** A line without the markup and quotation marks around it. */
function unwrapped(line: string): string {
  const words = line.replace(WRAPPING_BEFORE, '');
  let end = words.length;
  while (end > 0 && WRAPPING_AFTER.test(words.charAt(end - 1))) end -= 1;
  return words.slice(0, end);
}
