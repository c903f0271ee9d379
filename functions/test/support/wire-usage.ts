/** A `UsageResponse`, typed for assertions. */
export interface WireUsage {
  readonly object: string;
  readonly has_more: boolean;
  readonly data: readonly WireUsageRecord[];
}

/** Its one record. */
export interface WireUsageRecord {
  readonly aggregation_timestamp: number;
  readonly n_requests: number;
  readonly n_context_tokens_total: number;
  readonly n_generated_tokens_total: number;
  readonly total_tokens: number;
  readonly total_cost: number;
  readonly period: { readonly start: string; readonly end: string };
  readonly breakdown: readonly { readonly model_id: string }[];
  readonly apiKeyBreakdown: readonly { readonly keyName: string }[];
}

/** Copies with the lines in the order of their names: the spec promises none. */
export function sortedRecord(record: WireUsageRecord | undefined): WireUsageRecord | undefined {
  return (
    record && {
      ...record,
      breakdown: [...record.breakdown].sort((a, b) => (a.model_id < b.model_id ? -1 : 1)),
      apiKeyBreakdown: [...record.apiKeyBreakdown].sort((a, b) => (a.keyName < b.keyName ? -1 : 1)),
    }
  );
}
