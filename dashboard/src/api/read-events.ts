import { createParser } from 'eventsource-parser';

interface EventsListener<Event> {
  /** Those of each piece that comes, together. */
  readonly events: (events: readonly Event[]) => void;
  /** Whenever something comes, if it is only a comment. */
  readonly alive?: () => void;
}

/** Reads server-sent events that are JSON until they end. */
export async function readEvents<Event>(stream: ReadableStream<Uint8Array>, on: EventsListener<Event>): Promise<void> {
  let events: Event[] = [];
  const parser = createParser({ onEvent: ({ data }) => events.push(JSON.parse(data) as Event) });
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      on.alive?.();
      parser.feed(decoder.decode(piece.value, { stream: true }));
      if (events.length > 0) on.events(events);
      events = [];
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
