import { type EventWriter, STREAM_END } from './event-stream';
import type { Reply, StreamReply } from './reply';

/** The reply to a keyed request while it is made, for all who join; its end waits until the reply is kept. */
export class LiveReply implements EventWriter {
  readonly events: string[] = [];
  readonly #readers: EventWriter[] = [];
  readonly #replied = Promise.withResolvers<Reply>();
  readonly #ended = Promise.withResolvers<void>();
  /** The event that is repeated in silence, and its place. */
  #progress: { readonly event: object; readonly at: number } | undefined;
  /** True once the last event is `[DONE]`. */
  complete = false;

  constructor() {
    // Whether anybody joins is not known: without this a failure that nobody waits for would end the process.
    this.#replied.promise.catch(() => undefined);
  }

  /** Tells those who join what the request is answered with. */
  settle(reply: Reply | Promise<never>): void {
    this.#replied.resolve(reply);
  }

  async join(headers: StreamReply['headers']): Promise<Reply> {
    const reply = await this.#replied.promise;
    if (!('play' in reply)) return 'body' in reply ? { ...reply, headers } : reply;
    return {
      headers,
      ...(reply.named && { named: reply.named }),
      play: (events) => {
        this.follow(events);
        return this.#ended.promise;
      },
    };
  }

  /** Writes to one more reader what was written so far, and from now on what is written to all. */
  follow(reader: EventWriter): void {
    for (const [at, text] of this.events.entries()) {
      if (at === this.#progress?.at) reader.repeatWhenSilent(this.#progress.event);
      else reader.write(text);
    }
    this.#readers.push(reader);
  }

  write(event: object | string): void {
    const text = typeof event === 'string' ? event : JSON.stringify(event);
    this.events.push(text);
    this.complete = text === STREAM_END;
    if (!this.complete) for (const reader of this.#readers) reader.write(text);
  }

  repeatWhenSilent(event: object): void {
    this.#progress = { event, at: this.events.length };
    this.events.push(JSON.stringify(event));
    for (const reader of this.#readers) reader.repeatWhenSilent(event);
  }

  /** Only the first reader, whose request it is, can slow the run. */
  backPressure(): Promise<void> | undefined {
    return this.#readers[0]?.backPressure();
  }

  end(): void {
    if (this.complete) for (const reader of this.#readers) reader.write(STREAM_END);
    this.#ended.resolve();
  }
}
