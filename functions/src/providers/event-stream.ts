import { finished, type Readable } from 'node:stream';
import { createParser, type EventSourceParser } from 'eventsource-parser';
import { ModelFault } from '../models/model';

/** One server-sent event. */
export interface ServerSentEvent {
  readonly event?: string | undefined;
  readonly data: string;
}

/** Who reads the events, and until when. */
export interface EventHandling {
  /**
   * Gets every event in order. A returned promise stops the reading until it resolves; `stop` says that the last event
   * wanted has come. What it throws, or rejects with, ends the reading.
   */
  onEvent(event: ServerSentEvent): Promise<void> | 'stop' | undefined;
  readonly signal: AbortSignal;
}

/** A line, or an event's data, longer than this many characters without an end is not a stream of events. */
const EVENT_MAX_CHARACTERS = 4 * 1024 * 1024;
/** More than this in one reply, of whatever kind, is no answer: each token of a long one takes some 300 characters. */
const STREAM_MAX_CHARACTERS = 64 * 1024 * 1024;
/** How long a server that has said its last word may take to end the response before its connection is closed. */
const LINGER_MS = 250;

/**
 * Reads server-sent events from a Node stream by 'data' events: no promise per chunk (see `upstreamFetch`).
 * Resolves at the end of the stream or on `stop`. Otherwise destroys the stream and rejects: with what `onEvent` threw,
 * or with a `ModelFault` `aborted`, `network` (the stream broke) or `protocol` (an event, or a stream, too long).
 */
export function readEvents(stream: Readable, handling: EventHandling): Promise<void> {
  return new Promise((resolve, reject) => {
    new EventReader(stream, handling, { resolve, reject }).start();
  });
}

interface Outcome {
  resolve(): void;
  reject(error: unknown): void;
}

/** Its handlers run outside any domain, where a throw would end the process: each hands its errors to `#fail`. */
class EventReader {
  readonly #stream: Readable;
  readonly #handling: EventHandling;
  readonly #outcome: Outcome;
  readonly #parser: EventSourceParser;
  /** Events that came in the same chunk as one that is still being handled. */
  readonly #waiting: ServerSentEvent[] = [];
  #lineComplete = true;
  #characters = 0;
  #held = false;
  #ended = false;
  #settled = false;

  constructor(stream: Readable, handling: EventHandling, outcome: Outcome) {
    this.#stream = stream;
    this.#handling = handling;
    this.#outcome = outcome;
    this.#parser = createParser({
      maxBufferSize: EVENT_MAX_CHARACTERS,
      onEvent: (event) => this.#accept(event),
      onError: (error) => {
        if (error.type === 'max-buffer-size-exceeded') this.#fail(new ModelFault('protocol', { cause: error }));
      },
    });
  }

  start(): void {
    const { signal } = this.#handling;
    // Kept after the end too: it also keeps late errors of a destroyed stream from going unhandled.
    finished(this.#stream, { writable: false }, (error) => this.#onFinished(error));
    if (signal.aborted) {
      this.#onAbort();
      return;
    }
    signal.addEventListener('abort', this.#onAbort, { once: true });
    this.#stream.setEncoding('utf8');
    this.#stream.on('data', this.#onData);
  }

  readonly #onData = (text: string): void => {
    this.#characters += text.length;
    if (this.#characters > STREAM_MAX_CHARACTERS) this.#fail(new ModelFault('protocol'));
    this.#lineComplete = text.endsWith('\n') || text.endsWith('\r');
    this.#parser.feed(text);
  };

  readonly #onAbort = (): void => this.#fail(new ModelFault('aborted', { cause: this.#handling.signal.reason }));

  #onFinished(error: unknown): void {
    if (this.#settled) return;
    if (error) {
      this.#fail(new ModelFault('network', { cause: error }));
      return;
    }
    this.#ended = true;
    // Some servers leave out the blank line after their last event; half a line, though, is a cut-off one.
    if (this.#lineComplete) this.#parser.feed('\n\n');
    if (!this.#held) this.#succeed();
  }

  #accept(event: ServerSentEvent): void {
    if (this.#settled) return;
    if (this.#held) this.#waiting.push(event);
    else this.#handle(event);
  }

  #handle(event: ServerSentEvent): void {
    try {
      const outcome = this.#handling.onEvent(event);
      if (outcome === 'stop') this.#stop();
      else if (outcome) this.#hold(outcome);
    } catch (error) {
      this.#fail(error);
    }
  }

  #hold(handled: Promise<void>): void {
    this.#held = true;
    this.#stream.pause();
    handled.then(
      () => this.#resume(),
      (error) => this.#fail(error),
    );
  }

  #resume(): void {
    this.#held = false;
    while (!this.#held && !this.#settled) {
      const event = this.#waiting.shift();
      if (!event) break;
      this.#handle(event);
    }
    if (this.#held || this.#settled) return;
    if (this.#ended) this.#succeed();
    else this.#stream.resume();
  }

  /** Reads the rest away, so that the connection can be used again. */
  #stop(): void {
    this.#succeed();
    if (this.#ended) return;
    const linger = setTimeout(() => this.#stream.destroy(), LINGER_MS);
    linger.unref();
    this.#stream.once('close', () => clearTimeout(linger));
    this.#stream.resume();
  }

  #succeed(): void {
    if (this.#settled) return;
    this.#release();
    this.#outcome.resolve();
  }

  #fail(error: unknown): void {
    if (this.#settled) return;
    this.#release();
    this.#stream.destroy();
    this.#outcome.reject(error);
  }

  #release(): void {
    this.#settled = true;
    this.#stream.off('data', this.#onData);
    this.#handling.signal.removeEventListener('abort', this.#onAbort);
  }
}
