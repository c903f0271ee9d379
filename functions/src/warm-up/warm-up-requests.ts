import { WARM_UP_MODELS as MODELS } from './warm-up-models';

/**
 * What is asked for, and how often: until V8 has compiled nearly all that such a request goes through. More of them gain
 * little, fewer leave a part to users (ADR 57). A model of the catalog has a price; others have none.
 */
const TIMES = { priced: 300, unpriced: 150, streamed: 150, longStream: 60, ensemble: 20 };

/** A kind of request of a warm-up. */
export type WarmUpKind = keyof typeof TIMES;

/** The body of a request of a kind; `priced` is the id of a model whose price is known. */
export function warmUpRequest(kind: WarmUpKind, priced: string): object {
  const messages = [{ role: 'user', content: 'Say something short.' }];
  const rest: Readonly<Record<WarmUpKind, object>> = {
    priced: { model: priced },
    unpriced: { model: MODELS.short },
    streamed: { model: priced, stream: true },
    longStream: { model: MODELS.long, stream: true },
    ensemble: { model: MODELS.short, stream: true, ai_ensemble: { models: MODELS.panel } },
  };
  return { messages, ...rest[kind] };
}

/** All of them in turn, each kind spread evenly over the whole: code that several share is compiled for all at once. */
export function inTurn(): WarmUpKind[] {
  const kinds = Object.keys(TIMES) as WarmUpKind[];
  const placed = kinds.flatMap((kind) =>
    Array.from({ length: TIMES[kind] }, (_, index) => ({ kind, place: (index + 0.5) / TIMES[kind] })),
  );
  return placed.sort((one, other) => one.place - other.place).map(({ kind }) => kind);
}
