/*
 * JSON in analyses, plans, findings and reviews, read leniently: what can be read of a reply helps, and the rest costs
 * nothing. Verdicts, which become scores, are read strictly (`strict-json.ts`).
 */
import * as z from 'zod';

/** The JSON object of a model's reply; undefined when there is none. Models like to wrap it in prose or code fences. */
export function objectInReply(reply: string): unknown {
  return jsonBetween(reply, '{', '}');
}

/** The texts in the JSON array of a model's reply, at most `max`; undefined when there are none. */
export function textsInReply(reply: string, max: number): string[] | undefined {
  const list = z.array(z.string()).safeParse(jsonBetween(reply, '[', ']'));
  const texts = list.data?.map((text) => text.trim()).filter((text) => text !== '') ?? [];
  return texts.length === 0 ? undefined : texts.slice(0, max);
}

/** A list of texts: a lone text is a list of one, an object is its texts joined, anything else is left out. Never fails. */
export const lenientTexts = z.unknown().transform((value): string[] => {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.map(textOf).filter((text) => text !== '');
});

/** A text, leniently: anything else is empty. Never fails. */
export const lenientText = z
  .string()
  .catch('')
  .transform((text) => text.trim());

function textOf(item: unknown): string {
  if (typeof item === 'string') return item.trim();
  if (typeof item !== 'object' || item === null) return '';
  const texts = Object.values(item).filter((value): value is string => typeof value === 'string');
  return texts.join(' — ').trim();
}

/** What is between the first opening and the last closing mark. */
function jsonBetween(reply: string, open: string, close: string): unknown {
  const start = reply.indexOf(open);
  const end = reply.lastIndexOf(close);
  if (start < 0 || end <= start) return undefined;
  const json = reply.slice(start, end + 1);
  return parsedJson(json) ?? parsedJson(json.replace(/,\s*([\]}])/g, '$1'));
}

/** What a JSON text says; undefined when it is not JSON. */
export function parsedJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
