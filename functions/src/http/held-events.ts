import type { CancelTimer, Clock } from '../lib/clock';
import type { EventWriter } from './event-stream';

/** A client of a stream that has not begun waits no longer: its status would come too late to be of use. */
const HELD_MS = 2_000;

/** Events of a stream whose head waits, so that what fails before its first event has a status of its own. */
export class HeldEvents implements EventWriter {
  #hasBegun = false;
  readonly #begun = Promise.withResolvers<void>();
  /** Resolves once the stream has begun, or is to begin. */
  readonly begun = this.#begun.promise;
  readonly #cancelTimer: CancelTimer;
  readonly #kept: ((events: EventWriter) => void)[] = [];
  #events: EventWriter | undefined;

  constructor(clock: Clock) {
    this.#cancelTimer = clock.after(HELD_MS, () => this.begin());
  }

  /** Lets the stream begin. */
  begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#cancelTimer();
    this.#begun.resolve();
  }

  /** False of a wait that is longer than a stream is held, while a failure would have a status instead. */
  readonly mayWait = (waitMs: number): boolean => this.#hasBegun || waitMs <= HELD_MS;

  /** Writes what was kept, and from now on passes on what is written. */
  passTo(events: EventWriter): void {
    for (const write of this.#kept.splice(0)) write(events);
    this.#events = events;
  }

  write(event: object | string): void {
    if (this.#events) this.#events.write(event);
    else this.#kept.push((events) => events.write(event));
  }

  repeatWhenSilent(event: object): void {
    if (this.#events) this.#events.repeatWhenSilent(event);
    else this.#kept.push((events) => events.repeatWhenSilent(event));
  }

  backPressure(): Promise<void> | undefined {
    return this.#events?.backPressure();
  }
}
