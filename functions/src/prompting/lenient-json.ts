/*
 * JSON in analyses, plans, findings and reviews, read leniently: what can be read of a reply helps, and the rest costs
 * nothing. Verdicts, which become scores, are read strictly (`strict-json.ts`).
 */
import { parsedJson } from '../lib/json';
import { balancedSpans } from './balanced-spans';
import { isJsonObject, type JsonObject } from './json-schema/canonical-json';
import { relaxedJson } from './relaxed-json';

/** Names of a requested list in its object and of the keys of its items. */
export interface ListKeys {
  readonly list: string;
  readonly items: readonly string[];
}

/**
 * The last complete object in a model's reply that has one of `keys`; undefined when there is none. Models like to wrap it
 * in prose or code fences, and to correct themselves. Of one that was cut off, what is complete.
 */
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

/**
 * The object with the list that was asked for; also where the reply is the list alone, or its items one after the other.
 */
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
