/** Fields of the events of a trace that tell who wrote a text, and who was shown it. */
interface TraceEvent {
  readonly type: string;
  readonly state?: string;
  readonly call?: string;
  readonly seat?: string;
  readonly purpose?: string;
  readonly text?: string;
  readonly saw?: readonly { readonly seat: string }[];
}

const TEXT_MAX = 200_000;

/** Follows a trace to the texts that the author of the answer was shown. */
export function createShownTexts() {
  const authors = new Map<string, string>();
  const written = new Map<string, string>();
  const standing = new Map<string, string>();
  let sources: readonly string[] = [];

  /** By the type of an event; for calls, by their state. */
  const readers: Readonly<Record<string, (event: TraceEvent) => void>> = {
    standing: ({ seat = '', text = '' }) => standing.set(seat, text),
    text: ({ call = '', text = '' }) => written.set(call, ((written.get(call) ?? '') + text).slice(0, TEXT_MAX)),
    queued: ({ call = '', seat = '', purpose, saw = [] }) => {
      if (purpose === 'answer') sources = [...new Set(saw.map((one) => one.seat))];
      else authors.set(call, seat);
    },
    started: ({ call = '' }) => written.delete(call),
    done: ({ call = '', text }) => text !== undefined && written.set(call, text),
  };
  const lastOf = (seat: string): string => {
    const call = [...authors].findLast(([, author]) => author === seat)?.[0] ?? '';
    return written.get(call) ?? '';
  };
  return {
    hear: (event: TraceEvent): void => readers[event.type === 'call' ? (event.state ?? '') : event.type]?.(event),
    /** Texts of each author that was shown: the one that stands, and its last words, such as a plan or a review. */
    texts: (): string[] =>
      sources.flatMap((seat) => [standing.get(seat) ?? '', lastOf(seat)]).filter((text) => text !== ''),
  };
}

export type ShownTexts = ReturnType<typeof createShownTexts>;
