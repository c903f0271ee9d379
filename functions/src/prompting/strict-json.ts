/*
 * JSON in verdicts, read strictly: a score that was guessed from a reply would be worse than none. Analyses, which only
 * help to write an answer, are read leniently (`lenient-json.ts`).
 */
import { parsedJson } from '../lib/json';
import { balancedSpans } from './balanced-spans';

/**
 * The value in a model's reply that `read` accepts (returns not undefined for; it is told the JSON it stood as, too): the
 * whole text as JSON, else what stands in the only code fence, else the last complete `{…}` that is accepted: a model that
 * corrects itself does so at the end. What is quoted before it, a forgery too, counts for nothing. Prose is never searched
 * for numbers.
 */
export function lastJson<T>(text: string, read: (value: unknown, json: string) => T | undefined): T | undefined {
  const attempt = (json: string): T | undefined => {
    const value = parsedJson(json);
    return value === undefined ? undefined : read(value, json);
  };
  const whole = attempt(text);
  if (whole !== undefined) return whole;
  const fenced = onlyBlock(text);
  const block = fenced === undefined ? undefined : attempt(fenced);
  if (block !== undefined) return block;
  for (const { start, end } of balancedSpans(text, '{}').spans.toReversed()) {
    const found = attempt(text.slice(start, end));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Content of the only code fence. */
function onlyBlock(text: string): string | undefined {
  const [open, close, ...more] = text.matchAll(/^```.*$/gm);
  return open && close && more.length === 0 ? text.slice(open.index + open[0].length, close.index) : undefined;
}
