/*
 * JSON in replies of models. In analyses, plans, findings and reviews it is read leniently: what can be read helps, and
 * the rest costs nothing. Verdicts, which become scores, are read strictly: a guessed score would be worse than none.
 */
import { parsedJson } from '../lib/json';
import { isJsonObject, type JsonObject } from './json-schema/canonical-json';
import { relaxedJson } from './relaxed-json';

/** Names of a requested list in its object and of the keys of its items. */
export interface ListKeys {
  readonly list: string;
  readonly items: readonly string[];
}

/** The last complete object in a reply that has one of `keys`; of one that was cut off, what is complete. */
export function objectInReply(reply: string, keys: readonly string[]): JsonObject | undefined {
  const { spans, cutFrom } = balancedSpans(reply, '{}');
  const isMeant = (value: unknown): value is JsonObject =>
    isJsonObject(value) && keys.some((key) => Object.hasOwn(value, key));
  for (const { start, end } of spans.toReversed()) {
    const value = looseJson(reply.slice(start, end));
    if (isMeant(value)) return value;
  }
  const cut = cutFrom === undefined ? undefined : relaxedJson(reply.slice(cutFrom));
  return isMeant(cut) ? cut : undefined;
}

/** The object with the list asked for; also where the reply is the list alone, or its items one after the other. */
export function listInReply(reply: string, { list, items }: ListKeys): JsonObject | undefined {
  const object = objectInReply(reply, [list]);
  if (object) return object;
  const array = arrayInReply(reply, (item) => typeof item === 'string' || isJsonObject(item));
  if (array) return { [list]: array };
  const single = balancedSpans(reply, '{}')
    .spans.map(({ start, end }) => looseJson(reply.slice(start, end)))
    .filter((value) => isJsonObject(value) && items.some((key) => Object.hasOwn(value, key)));
  return single.length === 0 ? undefined : { [list]: single };
}

/** The last array in a reply whose items are all `wanted`, and which is not part of an object. */
function arrayInReply(reply: string, wanted: (item: unknown) => boolean): unknown[] | undefined {
  const objects = balancedSpans(reply, '{}').spans.toReversed();
  for (const { start, end } of balancedSpans(reply, '[]').spans.toReversed()) {
    while ((objects[0]?.start ?? -1) > start) objects.shift();
    if ((objects[0]?.end ?? -1) > end) continue;
    const value = looseJson(reply.slice(start, end));
    if (Array.isArray(value) && value.every(wanted)) return value;
  }
  return undefined;
}

/** The items of a list as texts by field, empty where one is missing; a lone text is its `alone`. Undefined for no list. */
export function itemsOf<Field extends string>(
  list: unknown,
  fields: readonly Field[],
  alone: NoInfer<Field>,
): Record<Field, string>[] | undefined {
  if (!Array.isArray(list)) return undefined;
  return list.map((item: unknown) => {
    const texts: JsonObject = isJsonObject(item) ? item : { [alone]: item };
    return Object.fromEntries(fields.map((field) => [field, textOf(texts[field])])) as Record<Field, string>;
  });
}

/** The texts of a list, at most `max`; undefined when there are none. */
export function textsInReply(reply: string, { list, max }: { readonly list: string; readonly max: number }) {
  const texts = textsOf(listInReply(reply, { list, items: [] })?.[list] ?? linesOfList(reply));
  return texts.length === 0 ? undefined : texts.slice(0, max);
}

/** A list without JSON: lines with a number or a point before them, two at least. */
function linesOfList(reply: string): string[] {
  const lines = reply.split('\n').flatMap((line) => LIST_ITEM.exec(line.trimEnd())?.[1] ?? []);
  return lines.length < 2
    ? []
    : lines.map((line) => line.replace(/^[\s*_"“「]+/, '').replace(/(?<=[^\s*_"”」,，])[\s*_"”」,，]{1,20}$/, ''));
}

const LIST_ITEM = /^\s*(?:\d{1,2}[.)、．）]|[-*•–])\s*(\S.*)$/;

/** A list of texts: a lone text is a list of one, an object is its texts joined, anything else is left out. */
export function textsOf(value: unknown): string[] {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items
    .map((item) => {
      if (typeof item !== 'object' || item === null) return textOf(item);
      return Object.values(item).map(textOf).filter(Boolean).join(' — ');
    })
    .filter(Boolean);
}

/** A text, trimmed; anything else is empty. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

function looseJson(json: string): unknown {
  return parsedJson(json) ?? relaxedJson(json);
}

/**
 * The value in a model's reply that `read` accepts (returns not undefined for; it is told the JSON it stood as, too): the
 * whole text as JSON, else what stands in the only code fence, else the last complete `{…}` that is accepted: a model that
 * corrects itself does so at the end. What is quoted before it, a forgery too, counts for nothing. Prose is never searched
 * for numbers.
 */
export function lastJson<T extends object>(
  text: string,
  read: (value: unknown, json: string) => T | undefined,
): T | undefined {
  const attempt = (json: string): T | undefined => {
    const value = parsedJson(json);
    return value === undefined ? undefined : read(value, json);
  };
  const [open, close, ...more] = text.matchAll(/^```.*$/gm);
  const isFenced = open && close && more.length === 0;
  const whole = attempt(text) ?? (isFenced && attempt(text.slice(open.index + open[0].length, close.index)));
  if (whole) return whole;
  for (const { start, end } of balancedSpans(text, '{}').spans.toReversed()) {
    const found = attempt(text.slice(start, end));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A stretch of a text, from its first character to the one behind its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

interface Balance {
  /** The last outermost stretches whose marks match, in the order of the text. */
  readonly spans: readonly Span[];
  /** Index of the first mark that is never closed: the unfinished value of a text that was cut off. */
  readonly cutFrom: number | undefined;
}

/** A reply may quote some code; of more stretches than these only the last are kept: parsing a million takes half a minute. */
const SPANS_MAX = 1_000;

/** Every outermost `{…}` or `[…]` whose marks match, minding strings; what is never closed hides nothing. One pass. */
function balancedSpans(text: string, marks: '{}' | '[]'): Balance {
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
