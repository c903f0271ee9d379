import type { ServerResponse } from 'node:http';
import type { CancelTimer, Clock } from '../lib/clock';
import { closeUnlessTaken } from './slow-reader';

/** Something is written after this much silence. */
const HEARTBEAT_MS = 10_000;
const COMMENT = ': alive\n\n';

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
};

/** The event after which a stream has nothing more: all of it was written. */
export const STREAM_END = '[DONE]';

/** Where the events of a reply are written. */
export interface EventWriter {
  /** Writes one event: an object as JSON, a text as it is. */
  write(event: object | string): void;
  /** Writes an event now, and again after every silence until the next call: clients drop a quiet connection. */
  repeatWhenSilent(event: object): void;
  /** A promise while the client is slow, resolved when it has caught up or is gone. */
  backPressure(): Promise<void> | undefined;
}

/** Server-sent events to one client; after the client has left every write does nothing. */
export class EventStream implements EventWriter {
  readonly #res: ServerResponse;
  readonly #clock: Clock;
  #lastWriteMs: number;
  #heartbeat: string | undefined;
  #cancelTimer: CancelTimer;
  #drained: Promise<void> | undefined;

  /** Sends the head of the reply. */
  constructor(res: ServerResponse, clock: Clock, headers: Readonly<Record<string, string>>) {
    res.writeHead(200, { ...headers, ...HEADERS });
    this.#res = res;
    this.#clock = clock;
    this.#lastWriteMs = clock.nowMs();
    this.#cancelTimer = this.#beatAfter(HEARTBEAT_MS);
  }

  write(event: object | string): void {
    this.#send(linesOf(event));
  }

  repeatWhenSilent(event: object): void {
    this.#heartbeat = linesOf(event);
    this.#send(this.#heartbeat);
  }

  /** From now on writes a comment after every silence, which readers of events pass over. */
  keepAlive(): void {
    this.#heartbeat = COMMENT;
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

  /** Ends the reply. */
  end(): void {
    this.#cancelTimer();
    if (!this.#res.destroyed) this.#res.end();
  }

  #send(lines: string): void {
    if (this.#res.destroyed || this.#res.writableEnded) return;
    this.#lastWriteMs = this.#clock.nowMs();
    this.#res.write(lines);
  }

  #beatAfter(delayMs: number): CancelTimer {
    return this.#clock.after(delayMs, () => {
      const silentMs = this.#clock.nowMs() - this.#lastWriteMs;
      if (silentMs >= HEARTBEAT_MS && this.#heartbeat) this.#send(this.#heartbeat);
      this.#cancelTimer = this.#beatAfter(silentMs < HEARTBEAT_MS ? HEARTBEAT_MS - silentMs : HEARTBEAT_MS);
    });
  }
}

function linesOf(event: object | string): string {
  return `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`;
}
