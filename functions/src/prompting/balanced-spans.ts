/** A stretch of a text, from its first character to the one behind its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Balanced marks of a text. */
export interface Balance {
  /** The last outermost stretches whose marks match, in the order of the text. */
  readonly spans: readonly Span[];
  /** Index of the first mark that is never closed: the unfinished value of a text that was cut off. */
  readonly cutFrom: number | undefined;
}

/** A reply may quote some code; of more stretches than these only the last are kept: parsing a million takes half a minute. */
const SPANS_MAX = 1_000;

/**
 * Every outermost `{…}` or `[…]` whose marks match, minding strings; a mark that is never closed hides nothing. One pass.
 */
export function balancedSpans(text: string, marks: '{}' | '[]'): Balance {
  const [opening, closing] = marks;
  const open: number[] = [];
  const spans: Span[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    // Quotes in prose open no string.
    if (character === '"' && open.length > 0) at = endOfString(text, at);
    else if (character === opening) open.push(at);
    else if (character === closing) {
      const start = open.pop();
      if (start !== undefined) close(spans, { start, end: at + 1 });
    }
  }
  return { spans: spans.slice(-SPANS_MAX), cutFrom: open[0] };
}

function close(spans: Span[], span: Span): void {
  while ((spans.at(-1)?.start ?? -1) > span.start) spans.pop();
  spans.push(span);
  if (spans.length >= 2 * SPANS_MAX) spans.splice(0, SPANS_MAX);
}

/** The place of the closing quote, or of the line's end: no JSON string goes over it. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"' && text[at] !== '\n') at += text[at] === '\\' ? 2 : 1;
  return at;
}
