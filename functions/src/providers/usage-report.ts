import type { ReportedUsage } from '../models/model';

/** The counts of a provider's usage object, whatever it put there. */
export type RawUsage = { readonly [Key in keyof Required<ReportedUsage>]?: unknown };

/** No call has more tokens; at any price that can be set, the cost of so many is still an exact number. */
const TOKENS_MAX = 100_000_000;

/** Keeps the counts that can be token counts: one bad number would spoil a month's sums. */
export function usageReport(raw: RawUsage): ReportedUsage {
  const report: { -readonly [Key in keyof ReportedUsage]: ReportedUsage[Key] } = {};
  for (const key of Object.keys(raw) as (keyof RawUsage)[]) {
    if (isCount(raw[key])) report[key] = raw[key];
  }
  return report;
}

/** Tells a token count (a whole number, 0 to a hundred million) from anything else. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= TOKENS_MAX;
}
