import type { CancelTimer, Clock } from '../lib/clock';
import type { AnswerWritten, Observe, TracedEvent, TraceEvent } from './trace-event';

/** What a run tells, made into the trace that is kept and sent. */
export interface TraceRecorder {
  /** Takes the events of the run. */
  readonly observe: Observe;
  /** Gives out what is still held back; whatever is told later is dropped. */
  end(): void;
}

/** So long the pieces of one text are joined. */
const TEXT_EVERY_MS = 40;
/** As long as this, a text waits no longer. */
const TEXT_CHARACTERS_MAX = 16_384;

/**
 * Gives every event its place and its time, and joins the pieces of the text that a call writes, and those of the answer,
 * so that there are few enough to be kept and sent. The order of a call's own events is that in which they were told.
 */
export function createTraceRecorder(
  clock: Clock,
  startedAtMs: number,
  emit: (event: TracedEvent) => void,
): TraceRecorder {
  const texts = new Map<string, JoinedText>();
  let seq = 0;
  let ended = false;
  const give = (event: TraceEvent): void => emit({ ...event, seq: seq++, atMs: clock.nowMs() - startedAtMs });
  const joined = (key: string): JoinedText => {
    const known = texts.get(key) ?? new JoinedText(clock, give);
    texts.set(key, known);
    return known;
  };
  const flushAll = (): void => {
    for (const text of texts.values()) text.flush();
  };
  return {
    observe: (event) => {
      if (ended) return;
      if (event.type === 'text' || event.type === 'answer') {
        joined(event.type === 'text' ? event.call : ANSWER).add(event);
        return;
      }
      if (!('call' in event)) flushAll();
      else {
        texts.get(event.call)?.flush();
        if (event.type === 'call') texts.delete(event.call);
      }
      give(event);
    },
    end: () => {
      flushAll();
      ended = true;
    },
  };
}

/** No call has an empty name. */
const ANSWER = '';

type Piece = Extract<TraceEvent, { readonly type: 'text' }> | AnswerWritten;

/** One text under way: its first piece is given out at once, what follows in pieces that are far enough apart. */
class JoinedText {
  readonly #clock: Clock;
  readonly #give: (event: TraceEvent) => void;
  /** What is held back, and the first of it. */
  readonly #texts: string[] = [];
  #first: Piece | undefined;
  #characters = 0;
  #nextMs = Number.NEGATIVE_INFINITY;
  #cancel: CancelTimer | undefined;

  constructor(clock: Clock, give: (event: TraceEvent) => void) {
    this.#clock = clock;
    this.#give = give;
  }

  add(piece: Piece): void {
    this.#first ??= piece;
    this.#texts.push(piece.text);
    this.#characters += piece.text.length;
    const leftMs = this.#nextMs - this.#clock.monotonicMs();
    if (leftMs <= 0 || this.#characters >= TEXT_CHARACTERS_MAX) this.flush();
    else this.#cancel ??= this.#clock.after(leftMs, () => this.flush());
  }

  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const first = this.#first;
    if (!first) return;
    this.#nextMs = this.#clock.monotonicMs() + TEXT_EVERY_MS;
    this.#first = undefined;
    this.#characters = 0;
    // Joined, and not added up piece by piece: such a text takes many times the memory of its characters.
    this.#give({ ...first, text: this.#texts.splice(0).join('') });
  }
}
