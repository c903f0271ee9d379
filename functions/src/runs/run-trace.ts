import type { ByteShare } from '../lib/byte-budget';
import type { CancelTimer, Clock } from '../lib/clock';
import type { AnswerWritten, TextWritten, TracedEvent, TraceEvent } from './trace-event';

/** Pieces of text that come within this time are joined, up to this length. */
const TEXT_EVERY_MS = 40;
const JOINED_CHARACTERS_MAX = 16_384;

/** Bound on a trace as JSON. */
const CHARACTERS_MAX = 16 * 1024 * 1024;
/** Bound on one event: what is stored at once has a bound, too. */
const EVENT_CHARACTERS_MAX = 2 * 1024 * 1024;
/** Part of the bound that is kept free for the answer and for events that are no pieces of text. */
const CHARACTERS_FOR_ANSWER = 4 * 1024 * 1024;
/** Texts that are not left out are cut to this. */
const CUT_CHARACTERS = 2_000;
const BYTES_A_CHARACTER = 2;
/** Memory is taken in steps: most traces need one. */
const STEP_BYTES = 256 * 1024;

const TOO_LONG = 'The trace of this run is too long: from here on it is without the texts of models';

interface JoinedText {
  readonly first: TextWritten | AnswerWritten;
  readonly texts: string[];
}

/** Parts of a trace; `show` is called with each event once it has its place. */
export interface TraceParts {
  readonly clock: Clock;
  readonly startedAtMs: number;
  /** Memory that the trace may take; not released here. */
  readonly memory: ByteShare;
  readonly show: (event: TracedEvent) => void;
}

/** Events of a run as JSON, by `seq`; close pieces of a text are joined, and beyond a bound texts are left out. */
export class RunTrace {
  readonly #parts: TraceParts;
  readonly #events: string[] = [];
  readonly #waiting = new Set<() => void>();
  /** Texts held back, by call. */
  readonly #joined = new Map<string, JoinedText>();
  #joinedCharacters = 0;
  #cancel: CancelTimer | undefined;
  #characters = 0;
  #heldBytes = 0;
  #isFull = false;
  #isOver = false;

  constructor(parts: TraceParts) {
    this.#parts = parts;
  }

  /** Number of events; the `seq` of the next. */
  get length(): number {
    return this.#events.length;
  }

  /** Set once the last event is there. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Milliseconds since the run's start. */
  get ageMs(): number {
    return this.#parts.clock.nowMs() - this.#parts.startedAtMs;
  }

  /** Takes an event as it happens. */
  observe(event: TraceEvent): void {
    if (event.type === 'text' || event.type === 'answer') {
      this.#join(event);
      return;
    }
    this.flush();
    this.#append(event);
  }

  /** Appends what is held back. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#joinedCharacters = 0;
    const joined = [...this.#joined.values()];
    this.#joined.clear();
    // Joined, not added up piece by piece: such a text takes many times the memory of its characters.
    for (const { first, texts } of joined) this.#append({ ...first, text: texts.join('') });
  }

  /** Appends the last event. */
  end(event: TraceEvent, atMs: number): void {
    this.#show(event, atMs);
    this.#isOver = true;
    this.#wake();
  }

  /** The events from `from` on: of many the first, with so many characters at most, and one at least. */
  slice(from: number, charactersMax: number): readonly string[] {
    let characters = 0;
    let to = from;
    while (to < this.#events.length) {
      characters += this.#events[to]?.length ?? 0;
      if (to > from && characters > charactersMax) break;
      to += 1;
    }
    return this.#events.slice(from, to);
  }

  /** Resolves with the next event, at the end, or when `signal` aborts. */
  changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake);
      if (this.#isOver || signal.aborted) wake();
    });
  }

  /** The first piece of a text is appended at once, what follows in pieces that are far enough apart. */
  #join(piece: TextWritten | AnswerWritten): void {
    const key = piece.type === 'text' ? piece.call : '';
    const known = this.#joined.get(key);
    if (known) known.texts.push(piece.text);
    else this.#joined.set(key, { first: piece, texts: [piece.text] });
    this.#joinedCharacters += piece.text.length;
    if (!this.#cancel || this.#joinedCharacters >= JOINED_CHARACTERS_MAX) this.#flushInTurn();
  }

  #flushInTurn(): void {
    const isMore = this.#joined.size > 0;
    this.flush();
    if (isMore) this.#cancel = this.#parts.clock.after(TEXT_EVERY_MS, () => this.#flushInTurn());
  }

  #append(event: TraceEvent): void {
    const { ageMs } = this;
    const size = sizeOf(event);
    if (this.#hasRoom(size, event.type === 'text' ? CHARACTERS_MAX - CHARACTERS_FOR_ANSWER : CHARACTERS_MAX)) {
      this.#characters += size;
      this.#show(event, ageMs);
      return;
    }
    if (!this.#isFull) this.#show({ type: 'limitation', text: TOO_LONG }, ageMs);
    this.#isFull = true;
    if (event.type !== 'text' && event.type !== 'answer') this.#show(withShortTexts(event), ageMs);
  }

  #hasRoom(size: number, max: number): boolean {
    const after = this.#characters + size;
    if (after > max || size > EVENT_CHARACTERS_MAX) return false;
    const bytes = Math.ceil((after * BYTES_A_CHARACTER) / STEP_BYTES) * STEP_BYTES;
    if (bytes <= this.#heldBytes) return true;
    if (!this.#parts.memory.hold(bytes)) return false;
    this.#heldBytes = bytes;
    return true;
  }

  #show(event: TraceEvent, atMs: number): void {
    const traced: TracedEvent = { ...event, seq: this.length, atMs };
    this.#events.push(JSON.stringify(traced));
    this.#parts.show(traced);
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }
}

/** Characters of an event as JSON, about. */
function sizeOf(event: TraceEvent): number {
  const text = 'text' in event ? (event.text?.length ?? 0) : 0;
  const explanation = 'explanation' in event ? (event.explanation?.length ?? 0) : 0;
  return 200 + text + explanation;
}

function withShortTexts(event: TraceEvent): TraceEvent {
  if ('text' in event && event.text !== undefined) return { ...event, text: cut(event.text) };
  if (event.type !== 'verdict' || event.explanation === undefined) return event;
  return { ...event, explanation: cut(event.explanation) };
}

function cut(text: string): string {
  return text.length > CUT_CHARACTERS ? `${text.slice(0, CUT_CHARACTERS)}…` : text;
}
