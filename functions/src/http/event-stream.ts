import type { ServerResponse } from 'node:http';
import type { CancelTimer, Clock } from '../lib/clock';
import { closeUnlessTaken } from './unread';

const HEARTBEAT_MS = 10_000;

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
};

/** Beginning of the JSON of an event that has a name, which follows. */
const TYPE = '{"type":"';

const COMMENT = ': alive\n\n';

/** More than this is written at once; less waits for what else is said in the same turn of the event loop. */
const TOGETHER_CHARACTERS_MAX = 16_384;

export interface StreamHead {
  readonly headers: Readonly<Record<string, string>>;
  /** True if silence is bridged by comments from the beginning on. */
  readonly bridged?: true;
  /** Set where each event has a name, the `type` that its JSON begins with, and the stream ends without a mark. */
  readonly named?: true;
}

/** The event after which a stream has nothing more: all of it was written. Streams of named events are not sent it. */
export const STREAM_END = '[DONE]';

export interface EventWriter {
  /** Writes one event: an object as JSON, a text as it is; under an id where clients may come back for what follows it. */
  write(event: object | string, id?: number): void;
  /** Writes an event now, and again after every silence until the next call: clients drop a quiet connection. */
  repeatWhenSilent(event: object): void;
  /** A promise while the client is slow, resolved when it has caught up or is gone. */
  backPressure(): Promise<void> | undefined;
}

/** Server-sent events to one client, those of a turn of the event loop in one piece; none once the client has left. */
export class EventStream implements EventWriter {
  readonly #res: ServerResponse;
  readonly #clock: Clock;
  readonly #isNamed: boolean;
  #lastWriteMs: number;
  #bridge: string | undefined;
  #cancelTimer: CancelTimer;
  #drained: Promise<void> | undefined;
  #unsent = '';
  #sending: NodeJS.Immediate | undefined;

  constructor(res: ServerResponse, clock: Clock, { headers, bridged, named }: StreamHead) {
    res.writeHead(200, { ...headers, ...HEADERS });
    // Nothing may come for a while, and who waits is to know that there is a stream.
    if (bridged) res.flushHeaders();
    this.#res = res;
    this.#clock = clock;
    this.#isNamed = named === true;
    this.#bridge = bridged ? COMMENT : undefined;
    this.#lastWriteMs = clock.monotonicMs();
    this.#cancelTimer = this.#beatAfter(HEARTBEAT_MS);
  }

  write(event: object | string, id?: number): void {
    if (this.#isNamed && event === STREAM_END) return;
    const text = this.#textOf(event);
    this.#send(id === undefined ? text : `id: ${id}\n${text}`);
  }

  repeatWhenSilent(event: object): void {
    this.#bridge = this.#textOf(event);
    this.#send(this.#bridge);
  }

  backPressure(): Promise<void> | undefined {
    if (!this.#res.writableNeedDrain || this.#res.destroyed) return undefined;
    this.#drained ??= new Promise((resolve) => {
      const cancel = closeUnlessTaken(this.#res, this.#clock);
      const done = (): void => {
        cancel();
        this.#res.off('drain', done).off('close', done);
        this.#drained = undefined;
        resolve();
      };
      this.#res.on('drain', done).on('close', done);
    });
    return this.#drained;
  }

  end(): void {
    this.#cancelTimer();
    clearImmediate(this.#sending);
    if (!this.#res.destroyed) this.#res.end(this.#unsent);
  }

  #textOf(event: object | string): string {
    const data = typeof event === 'string' ? event : JSON.stringify(event);
    if (!this.#isNamed || !data.startsWith(TYPE)) return `data: ${data}\n\n`;
    return `event: ${data.slice(TYPE.length, data.indexOf('"', TYPE.length))}\ndata: ${data}\n\n`;
  }

  #send(text: string): void {
    if (this.#res.destroyed || this.#res.writableEnded) return;
    this.#lastWriteMs = this.#clock.monotonicMs();
    this.#unsent += text;
    if (this.#unsent.length >= TOGETHER_CHARACTERS_MAX) this.#sendNow();
    else this.#sending ??= setImmediate(() => this.#sendNow());
  }

  #sendNow(): void {
    clearImmediate(this.#sending);
    this.#sending = undefined;
    const text = this.#unsent;
    this.#unsent = '';
    if (!this.#res.destroyed && !this.#res.writableEnded) this.#res.write(text);
  }

  #beatAfter(delayMs: number): CancelTimer {
    return this.#clock.after(delayMs, () => {
      const silentMs = this.#clock.monotonicMs() - this.#lastWriteMs;
      if (silentMs >= HEARTBEAT_MS && this.#bridge) this.#send(this.#bridge);
      this.#cancelTimer = this.#beatAfter(silentMs < HEARTBEAT_MS ? HEARTBEAT_MS - silentMs : HEARTBEAT_MS);
    });
  }
}
