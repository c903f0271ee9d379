import * as z from 'zod';

/** The JSON object of a model's reply; undefined when there is none. Models like to wrap it in prose or code fences. */
export function objectInReply(reply: string): unknown {
  return jsonBetween(reply, '{', '}');
}

/** The JSON array of a model's reply; undefined when there is none. */
export function arrayInReply(reply: string): unknown {
  return jsonBetween(reply, '[', ']');
}

/**
 * A list of texts, leniently: a lone string is a list of one, an object is its texts joined, anything else is left
 * out. Never fails.
 */
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
  return tryParse(json) ?? tryParse(json.replace(/,\s*([\]}])/g, '$1'));
}

function tryParse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
