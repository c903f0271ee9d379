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

const COMMENT = ': alive\n\n';

/** More than this is written at once; less waits for what else is said in the same turn of the event loop. */
const TOGETHER_CHARACTERS_MAX = 16_384;

export interface StreamHead {
  readonly headers: Readonly<Record<string, string>>;
  /** True if silence is bridged by comments from the beginning on. */
  readonly bridged?: true;
}

/** The event after which a stream has nothing more: all of it was written. */
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
  #lastWriteMs: number;
  #bridge: string | undefined;
  #cancelTimer: CancelTimer;
  #drained: Promise<void> | undefined;
  #unsent = '';
  #sending: NodeJS.Immediate | undefined;

  constructor(res: ServerResponse, clock: Clock, { headers, bridged }: StreamHead) {
    res.writeHead(200, { ...headers, ...HEADERS });
    // Nothing may come for a while, and who waits is to know that there is a stream.
    if (bridged) res.flushHeaders();
    this.#res = res;
    this.#clock = clock;
    this.#bridge = bridged ? COMMENT : undefined;
    this.#lastWriteMs = clock.monotonicMs();
    this.#cancelTimer = this.#beatAfter(HEARTBEAT_MS);
  }

  write(event: object | string, id?: number): void {
    this.#send(id === undefined ? dataOf(event) : `id: ${id}\n${dataOf(event)}`);
  }

  repeatWhenSilent(event: object): void {
    this.#bridge = dataOf(event);
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

function dataOf(event: object | string): string {
  return `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`;
}
