import type { CallListener, ProviderCall, ReportedUsage } from '../../models/model';
import type { Reasoning } from '../../models/reasoning';
import type { ToolCallPiece } from '../../models/tools';
import type { WebReport } from '../../models/web-search';

/** Marks of a thought written into a reply. */
interface ThoughtMarks {
  /** Beginning of a reply that begins with a thought, in small letters. */
  readonly opens: string;
  /** Marks that end the thought: these, one after the other. The opening mark may be the first of them. */
  readonly closes: readonly RegExp[];
  /** Mark that a server may leave at the very end of the answer. */
  readonly ends?: string;
  /** The opening may as well be that of an answer: what follows is a thought only if its end comes, else text after all. */
  readonly unsure?: true;
}

/** The format of gpt-oss: thoughts and calls go into channels, the answer into the one named `final`. */
const HARMONY = { closes: [/<\|channel\|>final/i, /<\|message\|>/i], ends: '<|return|>' };

const MARKS: readonly ThoughtMarks[] = [
  { opens: '<think>', closes: [/<\/think>/i] },
  { opens: '<thinking>', closes: [/<\/thinking>/i] },
  { opens: '<thought>', closes: [/<\/thought>/i] },
  { opens: '<reasoning>', closes: [/<\/reasoning>/i] },
  { opens: '<seed:think>', closes: [/<\/seed:think>/i] },
  { opens: '[think]', closes: [/\[\/think\]/i] },
  { opens: '◁think▷', closes: [/◁\/think▷/i] },
  { opens: '<|channel|>', ...HARMONY },
  { opens: '<|start|>assistant', ...HARMONY },
];

/** gpt-oss from a server that drops its marks and leaves their words: `analysisThe user asks … assistantfinalParis.` */
const BARE_HARMONY: ThoughtMarks = { opens: 'analysis', closes: [/assistantfinal/], unsure: true };
/** Stands behind it: a word or an opening quotation mark; else it goes on a sentence, a name in code or a word of English. */
const RUN_IN = /^analysis[\p{L}\p{N}"“「]/u;

/** Marks of a thought whose beginning stands in the prompt: the templates of DeepSeek and Qwen write it there. */
const UNOPENED: ThoughtMarks = { opens: '', closes: [/<\/think>/i], unsure: true };

/** No mark is longer. */
const MARK_CHARACTERS_MAX = 32;
/** More thoughts than these one after the other are no reply: each is looked for in all that has come. */
const THOUGHTS_MAX = 8;

/** Marks of the thought that a reply begins with, or `perhaps` while one may still come. */
function openingOf(head: string): ThoughtMarks | 'perhaps' | undefined {
  if (RUN_IN.test(head)) return BARE_HARMONY;
  const small = head.slice(0, MARK_CHARACTERS_MAX).toLowerCase();
  const isBegun = BARE_HARMONY.opens.startsWith(head) || MARKS.some(({ opens }) => opens.startsWith(small));
  return MARKS.find(({ opens }) => small.startsWith(opens)) ?? (isBegun ? 'perhaps' : undefined);
}

/** Finds marks, one after the other, in a text that comes in pieces: the text behind the last; undefined until it comes. */
function textBehind(marks: readonly RegExp[]): (piece: string) => string | undefined {
  const left = [...marks];
  let tail = '';
  return (piece) => {
    let text = tail + piece;
    for (let found = left[0]?.exec(text); found; found = left[0]?.exec(text)) {
      text = text.slice(found.index + found[0].length);
      left.shift();
    }
    tail = text.slice(-MARK_CHARACTERS_MAX);
    return left.length === 0 ? text : undefined;
  };
}

type Taken = Promise<void> | undefined;

/** Passes on what a model says, and of the thoughts that a reply begins with, between marks, that it lives. */
export class SpokenText implements CallListener {
  readonly #listener: CallListener;
  readonly #unopened: boolean;
  /** True if a thought may come that only its end tells: not behind another, nor where thoughts come apart from the text. */
  #isGuessed = true;
  #step: (delta: string) => Taken = this.#undecided;
  /** Text not passed on yet, which may still be. */
  #held = '';
  /** Beginning of the held text, without blanks, while nothing is decided. */
  #head = '';
  #thoughts = 0;
  #ends = '';

  constructor({ thoughtsUnopened = false }: Pick<ProviderCall, 'thoughtsUnopened'>, listener: CallListener) {
    this.#listener = listener;
    this.#unopened = thoughtsUnopened;
  }

  text(delta: string): Taken {
    return this.#step(delta);
  }

  toolCall(piece: ToolCallPiece): Taken {
    return this.#listener.toolCall(piece);
  }

  pending(characters: number): void {
    this.#listener.pending(this.#held.length + characters);
  }

  usage(report: ReportedUsage): void {
    this.#listener.usage(report);
  }

  web(report: WebReport): void {
    this.#listener.web(report);
  }

  alive(sign?: 'thinks'): void {
    this.#listener.alive(sign);
    if (sign === 'thinks') this.#isGuessed = false;
  }

  thought(piece: Reasoning): Taken {
    this.#isGuessed = false;
    return this.#listener.thought(piece);
  }

  /** The reply is whole: what is still held is text after all, unless it is the mark of the end. */
  end(): Taken {
    return this.#ends !== '' && this.#held === this.#ends ? undefined : this.#release();
  }

  /** Nothing but blanks, or what may become a mark, has come. */
  #undecided(delta: string): Taken {
    const words = this.#head === '' ? delta.trimStart() : delta;
    this.#held += this.#thoughts === 0 ? delta : words;
    this.#head += words;
    if (words === '') return undefined;
    if (this.#thoughts === THOUGHTS_MAX) return this.#speak();
    const opening = openingOf(this.#head);
    if (opening === 'perhaps') return undefined;
    const guess = opening ?? (this.#unopened ? UNOPENED : undefined);
    if (!guess || (guess.unsure && !this.#isGuessed)) return this.#speak();
    return this.#think(guess, guess.unsure ? this.#held : this.#head);
  }

  #think({ closes, ends = '', unsure }: ThoughtMarks, first: string): Taken {
    const search = textBehind(closes);
    this.#drop();
    this.#step = (delta) => {
      if (unsure) {
        this.#held += delta;
        this.#listener.pending(this.#held.length);
        if (!this.#isGuessed) return this.#speak();
      }
      this.#listener.alive('thinks');
      const rest = search(delta);
      if (rest === undefined) return undefined;
      this.#drop();
      this.#isGuessed = false;
      this.#thoughts += 1;
      this.#ends = ends;
      this.#step = this.#undecided;
      return rest === '' ? undefined : this.text(rest);
    };
    return this.text(first);
  }

  /** From here on everything is text. */
  #speak(): Taken {
    this.#step = this.#ends === '' ? (delta) => this.#listener.text(delta) : this.#untilEnd;
    return this.#ends === '' ? this.#release() : this.#untilEnd('');
  }

  /** Holds back what may be the mark of the end. */
  #untilEnd(delta: string): Taken {
    const text = this.#drop() + delta;
    let at = Math.max(0, text.length - this.#ends.length);
    while (!this.#ends.startsWith(text.slice(at))) at += 1;
    this.#held = text.slice(at);
    return at === 0 ? undefined : this.#listener.text(text.slice(0, at));
  }

  #release(): Taken {
    const text = this.#drop();
    return text === '' ? undefined : this.#listener.text(text);
  }

  #drop(): string {
    const text = this.#held;
    this.#held = '';
    this.#head = '';
    return text;
  }
}
