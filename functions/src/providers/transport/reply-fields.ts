import { parsedJson } from '../../lib/json';
import type { ReportedUsage } from '../../models/model';
import { ModelFault } from '../../models/model-fault';
import type { Reasoning } from '../../models/reasoning';

/** The fields of a JSON object, none of which may be relied on. */
export type Fields = Readonly<Record<string, unknown>>;

/** Parses provider JSON. Throws `ModelFault('protocol')`, without the parser's error, which quotes the text. */
export function parseJson(text: string): unknown {
  const parsed = parsedJson(text);
  if (parsed === undefined) throw new ModelFault('protocol');
  return parsed;
}

/** Reads a value as an object; anything else reads as one without fields. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** The items of an array; none for anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A string as it is, a number in digits; '' for anything else. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : '';
}

/** A piece of what a model says; '' where there is none. Throws `protocol` for what is no text, and would be lost. */
export function spokenOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string' && typeof value !== 'number') throw new ModelFault('protocol');
  return textOf(value);
}

/** The arguments of a tool call as JSON text, which some servers give as the value itself; '' where there are none. */
export function argumentsText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** No call has more tokens; at any price that can be set, the cost of so many is still an exact number. */
const TOKENS_MAX = 100_000_000;
const DECIMAL = /^\s*\d{1,9}(?:\.\d{1,9})?\s*$/;

/** Keeps of a provider's counts those that can be token counts: one bad number would spoil a month's sums. */
export function usageReport(raw: { readonly [Key in keyof ReportedUsage]: unknown }): ReportedUsage {
  const counts = Object.entries(raw).map(([name, value]) => [name, countOf(value)] as const);
  return Object.fromEntries(counts.filter(([, count]) => count !== undefined));
}

/** A token count, 0 to a hundred million, from a number or its digits; a fraction is rounded up. Undefined for anything else. */
export function countOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;
  return typeof number === 'number' && number >= 0 && number <= TOKENS_MAX ? Math.ceil(number) : undefined;
}

/** Says whether an error is one of Node's system or its streams: these have a code. */
export function isSystemError(error: unknown): boolean {
  return typeof fieldsOf(error)['code'] === 'string';
}

/** An escaped backslash, a pair of surrogates, or half of one. */
const ESCAPES = /\\(?:\\|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2}))/g;

/** JSON with U+FFFD for each escaped half of a surrogate pair, for which providers refuse the whole request. */
export function wellFormedJson(json: string): string {
  return json.replace(ESCAPES, (whole, half) => (half === undefined ? whole : '\ufffd'));
}

/** Summary of a thought, where there is one; named as most servers do that tell of thoughts. */
export function summaryOf(value: unknown): Reasoning | undefined {
  const thought = textOf(value);
  return thought === '' ? undefined : { reasoning_content: thought };
}
