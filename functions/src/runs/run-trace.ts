import type { ByteShare } from '../lib/byte-budget';
import type { CancelTimer, Clock } from '../lib/clock';
import type { TextPiece, TracedEvent, TraceEvent } from './trace-event';

/** Pieces of text that come within this time are joined, up to this length. */
const TEXT_EVERY_MS = 40;
const JOINED_CHARACTERS_MAX = 16_384;
/** Bound on a trace as JSON, and on one event: what is stored at once has a bound, too. */
const CHARACTERS_MAX = 16 * 1024 * 1024;
const EVENT_CHARACTERS_MAX = 2 * 1024 * 1024;
/** Part of the bound that is kept free for the answer and for events that are no pieces of text. */
const CHARACTERS_FOR_ANSWER = 4 * 1024 * 1024;
/** Characters of an event beside its text, about. */
const FIELDS_CHARACTERS = 200;
/** Texts that are not left out are cut to this. */
const CUT_CHARACTERS = 2_000;
const BYTES_A_CHARACTER = 2;
const TOO_LONG = 'The trace of this run is too long: from here on it is without the texts of models';

/** Parts of a trace; `show` is called with each event once it has its place. */
interface TraceParts {
  readonly clock: Clock;
  readonly startedAtMs: number;
  /** Memory that the trace may take; not released here. */
  readonly memory: ByteShare;
  readonly show: (event: TracedEvent) => void;
}

/** Events of a run as JSON, by `seq`; close pieces of a text are joined, and beyond a bound texts are left out. */
export class RunTrace {
  /** Set once the last event is there. */
  isOver = false;
  readonly #parts: TraceParts;
  readonly #events: string[] = [];
  readonly #waiting = new Set<() => void>();
  /** Pieces held back, by text. */
  readonly #joined = new Map<string, { readonly first: TextPiece; readonly texts: string[] }>();
  #joinedCharacters = 0;
  #cancel: CancelTimer | undefined;
  #characters = 0;
  #isFull = false;

  constructor(parts: TraceParts) {
    this.#parts = parts;
  }

  /** Number of events; the `seq` of the next. */
  get length(): number {
    return this.#events.length;
  }

  /** Milliseconds since the run's start. */
  get ageMs(): number {
    return this.#parts.clock.nowMs() - this.#parts.startedAtMs;
  }

  /** Takes an event as it happens. The first piece of a text is appended at once, what follows in joined pieces. */
  observe(event: TraceEvent): void {
    if (event.type !== 'text' && event.type !== 'answer') {
      this.flush();
      this.#append(event);
      return;
    }
    const key = event.type === 'text' ? event.call : '';
    const joined = this.#joined.get(key);
    if (joined) joined.texts.push(event.text);
    else this.#joined.set(key, { first: event, texts: [event.text] });
    this.#joinedCharacters += event.text.length;
    if (!this.#cancel || this.#joinedCharacters >= JOINED_CHARACTERS_MAX) this.#flushInTurn();
  }

  /** Appends what is held back. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#joinedCharacters = 0;
    const joined = [...this.#joined.values()];
    this.#joined.clear();
    for (const { first, texts } of joined) this.#append({ ...first, text: texts.join('') });
  }

  /** Appends the last event. */
  end(event: TraceEvent, atMs: number): void {
    this.isOver = true;
    this.#show(event, atMs);
  }

  /** The events from `from` on: of many the first, with so many characters at most, and one at least. */
  slice(from: number, charactersMax: number): readonly string[] {
    let characters = 0;
    let to = from;
    for (; to < this.#events.length; to += 1) {
      characters += this.#events[to]?.length ?? 0;
      if (to > from && characters > charactersMax) break;
    }
    return this.#events.slice(from, to);
  }

  /** Resolves with the next event, or when `signal` aborts. */
  changed(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = (): void => resolve();
    this.#waiting.add(wake);
    signal.addEventListener('abort', wake);
    return promise.finally(() => signal.removeEventListener('abort', wake));
  }

  #flushInTurn(): void {
    const isMore = this.#joined.size > 0;
    this.flush();
    if (isMore) this.#cancel = this.#parts.clock.after(TEXT_EVERY_MS, () => this.#flushInTurn());
  }

  #append(event: TraceEvent): void {
    const size = FIELDS_CHARACTERS + textOf(event).length + analysisLength(event);
    if (this.#hasRoom(size, event.type === 'text' ? CHARACTERS_MAX - CHARACTERS_FOR_ANSWER : CHARACTERS_MAX)) {
      this.#characters += size;
      this.#show(event);
      return;
    }
    if (!this.#isFull) this.#show({ type: 'limitation', text: TOO_LONG });
    this.#isFull = true;
    if (event.type !== 'text' && event.type !== 'answer') this.#show(withShortText(event));
  }

  #hasRoom(size: number, max: number): boolean {
    const after = this.#characters + size;
    if (after > max || size > EVENT_CHARACTERS_MAX) return false;
    return this.#parts.memory.hold(after * BYTES_A_CHARACTER);
  }

  #show(event: TraceEvent, atMs = this.ageMs): void {
    const traced: TracedEvent = { ...event, seq: this.length, atMs };
    this.#events.push(JSON.stringify(traced));
    this.#parts.show(traced);
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}

function textOf(event: TraceEvent): string {
  return ('text' in event ? event.text : 'explanation' in event ? event.explanation : undefined) ?? '';
}

function analysisLength(event: TraceEvent): number {
  return event.type === 'verdict' && event.analysis ? JSON.stringify(event.analysis).length : 0;
}

function withShortText(event: TraceEvent): TraceEvent {
  const text = textOf(event);
  const cut = text.length > CUT_CHARACTERS ? `${text.slice(0, CUT_CHARACTERS)}…` : text;
  if ('text' in event && text !== '') return { ...event, text: cut };
  if (event.type !== 'verdict') return event;
  const { analysis: _, ...short } = event;
  return text === '' ? short : { ...short, explanation: cut };
}
