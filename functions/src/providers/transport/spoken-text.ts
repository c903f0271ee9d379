import type { CallListener, ModelProvider, ProviderCall, ReportedUsage } from '../../models/model';
import type { Reasoning } from '../../models/reasoning';
import type { ToolCallPiece } from '../../models/tools';
import type { WebReport } from '../../models/web-search';
import { MarkSearch } from './mark-search';
import { openingOf, type ThoughtMarks, UNOPENED } from './thought-marks';

/**
 * The same provider, whose models are heard without what they think: many servers leave it in the text of a reply, between
 * marks. It counts as a sign of life, and its tokens as the provider reports them.
 */
export function withoutThoughts(provider: ModelProvider): ModelProvider {
  return {
    ...provider,
    run: async (call, listener) => {
      const spoken = new SpokenText(call, listener);
      const finishReason = await provider.run(call, spoken);
      await spoken.end();
      return finishReason;
    },
  };
}

type Taken = Promise<void> | undefined;

/**
 * Passes on what a model says, and of its thoughts that it lives. Only what a reply begins with is a thought, blanks before
 * it allowed, and there may be several: marks further on are part of the text. One that is never closed is all the reply
 * there is. No more is held back than could be the beginning of a mark.
 *
 * Models whose template opens the thought in the prompt (`thoughtsUnopened`) show its end only: what they write is held
 * until then, or passed on in one piece when the reply ends without. So is a reply that begins as gpt-oss does where a
 * server has dropped its marks. Where thoughts come apart from the text, or with an opening mark, nothing of it is held.
 * @internal
 */
export class SpokenText implements CallListener {
  readonly #listener: CallListener;
  /** True if a thought may come that only its end tells: not behind another, nor where thoughts come apart from the text. */
  #isGuessed = true;
  readonly #unopened: boolean;
  #step: (delta: string) => Taken = this.#undecided;
  /** Text not passed on yet, which may still be. */
  #held: string[] = [];
  #heldCharacters = 0;
  /** Beginning of the held text, without blanks. */
  #head = '';
  #thoughts = 0;
  #ends: string | undefined;

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
    this.#listener.pending(this.#heldCharacters + characters);
  }

  usage(report: ReportedUsage): void {
    this.#listener.usage(report);
  }

  web(report: WebReport): void {
    this.#listener.web(report);
  }

  alive(sign?: 'thinks', reasoning?: Reasoning): void {
    this.#listener.alive(sign, reasoning);
    if (sign === 'thinks') this.#isGuessed = false;
  }

  /** The reply is whole: what is still held is text after all, unless it is the mark of the end. */
  end(): Taken {
    if (this.#ends !== undefined && this.#head === this.#ends) return undefined;
    return this.#release();
  }

  /** Nothing but blanks, or what may become a mark, has come. */
  #undecided(delta: string): Taken {
    const words = this.#head === '' ? delta.trimStart() : delta;
    this.#hold(this.#thoughts === 0 ? delta : words);
    if (words === '') return undefined;
    this.#head += words;
    if (this.#thoughts === THOUGHTS_MAX) return this.#speak();
    const opening = openingOf(this.#head);
    if (opening === 'perhaps') return undefined;
    if (opening && !opening.unsure) return this.#think(opening, this.#head);
    const guess = opening ?? (this.#unopened ? UNOPENED : undefined);
    return guess && this.#isGuessed ? this.#think(guess, this.#drop()) : this.#speak();
  }

  #think(marks: ThoughtMarks, first: string): Taken {
    const search = new MarkSearch(marks.closes, marks);
    this.#drop();
    this.#step = (delta) => {
      if (marks.unsure) {
        this.#hold(delta);
        this.#listener.pending(this.#heldCharacters);
        if (!this.#isGuessed) return this.#speak();
      }
      this.#listener.alive('thinks');
      const rest = search.after(delta);
      if (rest === undefined) return undefined;
      this.#drop();
      this.#isGuessed = false;
      this.#thoughts += 1;
      this.#ends = marks.ends;
      this.#step = this.#undecided;
      return rest === '' ? undefined : this.text(rest);
    };
    return this.text(first);
  }

  /** From here on everything is text. */
  #speak(): Taken {
    this.#step = this.#ends === undefined ? (delta) => this.#listener.text(delta) : this.#untilEnd;
    return this.#ends === undefined ? this.#release() : this.#untilEnd('');
  }

  /** Holds back what may be the mark of the end. */
  #untilEnd(delta: string): Taken {
    const text = this.#drop() + delta;
    const ends = this.#ends ?? '';
    let at = Math.max(0, text.length - ends.length);
    while (!ends.startsWith(text.slice(at))) at += 1;
    this.#head = text.slice(at);
    if (this.#head !== '') this.#hold(this.#head);
    return at === 0 ? undefined : this.#listener.text(text.slice(0, at));
  }

  #hold(delta: string): void {
    this.#held.push(delta);
    this.#heldCharacters += delta.length;
  }

  #release(): Taken {
    const text = this.#drop();
    return text === '' ? undefined : this.#listener.text(text);
  }

  #drop(): string {
    const text = this.#held.join('');
    this.#held = [];
    this.#heldCharacters = 0;
    this.#head = '';
    return text;
  }
}

/** More thoughts than these one after the other are no reply: each is looked for in all that has come. */
const THOUGHTS_MAX = 8;
