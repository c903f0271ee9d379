import { createParser } from 'eventsource-parser';
import type { RunEvent } from './run-events';

/** Reads server-sent events of a run until they end, and hands on those of each piece that comes, together. */
export async function readRunEvents(
  stream: ReadableStream<Uint8Array>,
  on: { readonly events: (events: readonly RunEvent[]) => void; readonly alive: () => void },
): Promise<void> {
  let events: RunEvent[] = [];
  const parser = createParser({ onEvent: ({ data }) => events.push(JSON.parse(data) as RunEvent) });
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      on.alive();
      parser.feed(decoder.decode(piece.value, { stream: true }));
      if (events.length > 0) on.events(events);
      events = [];
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
