/*
 * JSON in verdicts, read strictly: a score that was guessed from a reply would be worse than none. Analyses, which only
 * help to write an answer, are read leniently (`lenient-json.ts`).
 */
import { parsedJson } from './lenient-json';

/**
 * The one value in a model's reply that `read` accepts (returns not undefined for), on a strict ladder: the whole text
 * as JSON; else the only fenced block; else the only balanced `{…}` that is accepted. Two that are accepted are
 * ambiguous, and then none is: a quoted forgery must not win over the verdict. Prose is never searched for numbers.
 */
export function soleJson<T>(text: string, read: (value: unknown) => T | undefined): T | undefined {
  const attempt = (json: string): T | undefined => {
    const value = parsedJson(json);
    return value === undefined ? undefined : read(value);
  };
  const whole = attempt(text);
  if (whole !== undefined) return whole;
  const fenced = onlyBlock(text);
  const block = fenced === undefined ? undefined : attempt(fenced);
  if (block !== undefined) return block;
  const accepted = balancedObjects(text)
    .map(attempt)
    .filter((value) => value !== undefined);
  return accepted.length === 1 ? accepted[0] : undefined;
}

/** What stands between the fences, where there are two. */
function onlyBlock(text: string): string | undefined {
  const [open, close, ...more] = text.matchAll(/^```.*$/gm);
  return open && close && more.length === 0 ? text.slice(open.index + open[0].length, close.index) : undefined;
}

/** A verdict may quote some code; a reply with more than these is nothing to look for one in. */
const OBJECTS_MAX = 1_000;

interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Every outermost `{…}` whose braces match, minding strings; a brace that is never closed hides nothing. One pass. None at
 * all where there are too many: parsing a million takes half a minute, in which nobody else is served.
 */
function balancedObjects(text: string): string[] {
  const open: number[] = [];
  const found: Span[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    // Quotes in prose open no string.
    if (character === '"' && open.length > 0) at = endOfString(text, at);
    else if (character === '{') open.push(at);
    else if (character === '}' && open.length > 0) close(found, { start: open.pop() ?? at, end: at + 1 });
    if (found.length > OBJECTS_MAX) return [];
  }
  return found.map(({ start, end }) => text.slice(start, end));
}

function close(found: Span[], span: Span): void {
  while ((found.at(-1)?.start ?? -1) > span.start) found.pop();
  found.push(span);
}

/** The place of the closing quote, or of the line's end: no JSON string goes over it. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"' && text[at] !== '\n') at += text[at] === '\\' ? 2 : 1;
  return at;
}
