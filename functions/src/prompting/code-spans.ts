import type { Span } from './json-in-reply';

const FENCE_LINE = /^[ \t>]{0,12}(`{3,}|~{3,})/;

/** The stretches of a Markdown text that are code: fenced blocks, closed or not, and what stands in backticks in a line. */
export function codeSpans(text: string): Span[] {
  const spans: Span[] = [];
  let block: { readonly mark: string; readonly start: number } | undefined;
  let at = 0;
  for (const line of text.split('\n')) {
    const mark = FENCE_LINE.exec(line)?.[1];
    const end = at + line.length;
    if (block === undefined) {
      if (mark === undefined)
        for (const { start, end } of inlineCode(line)) spans.push({ start: at + start, end: at + end });
      else block = { mark, start: at };
    } else if (mark?.startsWith(block.mark)) {
      spans.push({ start: block.start, end });
      block = undefined;
    }
    at = end + 1;
  }
  if (block) spans.push({ start: block.start, end: text.length });
  return spans;
}

/** A run of backticks closes the first open run of the same length; one that is never closed opens nothing. */
function inlineCode(line: string): Span[] {
  const runs = [...line.matchAll(/`+/g)].map(({ index, 0: { length } }) => ({ index, length }));
  const left = new Map<number, number>();
  for (const { length } of runs) left.set(length, (left.get(length) ?? 0) + 1);
  const spans: Span[] = [];
  let open: { readonly index: number; readonly length: number } | undefined;
  for (const run of runs) {
    const later = (left.get(run.length) ?? 0) - 1;
    left.set(run.length, later);
    if (open === undefined) {
      if (later > 0) open = run;
    } else if (run.length === open.length) {
      spans.push({ start: open.index, end: run.index + run.length });
      open = undefined;
    }
  }
  return spans;
}
