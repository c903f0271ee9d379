import { ModelFault, type ReportedUsage } from '../../models/model';

/** The fields of a JSON object, none of which may be relied on. */
export type Fields = Readonly<Record<string, unknown>>;

/** Parses provider JSON. Throws `ModelFault('protocol')`, without the parser's error, which quotes the text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ModelFault('protocol');
  }
}

/** Reads a value as an object; anything else reads as one without fields. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** The first item of an array; undefined for anything else. */
export function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : undefined;
}

/** A string as it is; '' for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** No call has more tokens; at any price that can be set, the cost of so many is still an exact number. */
const TOKENS_MAX = 100_000_000;

/** Keeps of a provider's counts those that can be token counts: one bad number would spoil a month's sums. */
export function usageReport(raw: { readonly [Key in keyof ReportedUsage]: unknown }): ReportedUsage {
  return Object.fromEntries(Object.entries(raw).filter(([, count]) => isCount(count)));
}

/** Tells a token count (a whole number, 0 to a hundred million) from anything else. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= TOKENS_MAX;
}
