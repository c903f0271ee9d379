import type { EventWriter } from '../../../http/event-stream';

/** Writes a piece of a text as an event of its own. */
export type TellPiece = (delta: string) => void;

/** Events of one stream of a response, numbered as they come; of a reply in one piece none is written. */
export class NumberedEvents {
  readonly #events: EventWriter | undefined;
  #next = 0;

  constructor(events?: EventWriter) {
    this.#events = events;
  }

  write(type: string, fields: object): void {
    this.#events?.write(this.#numbered(type, fields));
  }

  /** Writes an event now, and again after every silence. */
  repeatWhenSilent(type: string, fields: object): void {
    this.#events?.repeatWhenSilent(this.#numbered(type, fields));
  }

  /** Writer of pieces that differ in their number and their text alone. */
  pieces(type: string, fields: object): TellPiece {
    const events = this.#events;
    if (!events) return () => undefined;
    const before = `${JSON.stringify({ type, ...fields }).slice(0, -1)},"sequence_number":`;
    return (delta) => {
      events.write(`${before}${this.#next},"delta":${JSON.stringify(delta)}}`);
      this.#next += 1;
    };
  }

  #numbered(type: string, fields: object): object {
    const event = { type, sequence_number: this.#next, ...fields };
    this.#next += 1;
    return event;
  }
}
