import type { ReportedUsage } from '../models/model';

/** The counts of a provider's usage object, whatever it put there. */
export type RawUsage = { readonly [Key in keyof Required<ReportedUsage>]?: unknown };

/** Keeps the counts that are whole numbers from 0: one bad number would spoil a month's sums. */
export function usageReport(raw: RawUsage): ReportedUsage {
  const report: { -readonly [Key in keyof ReportedUsage]: ReportedUsage[Key] } = {};
  for (const key of Object.keys(raw) as (keyof RawUsage)[]) {
    if (isCount(raw[key])) report[key] = raw[key];
  }
  return report;
}

/** Tells a token count from anything else. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
