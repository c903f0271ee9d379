import type { UsageLine, UsageMonth } from '../store/store';

/** Several months as one: sums, and one line per model and key. The name is the newest month's. */
export function mergeMonths(months: readonly UsageMonth[]): UsageMonth {
  const sum = (of: (month: UsageMonth) => number): number => months.reduce((total, month) => total + of(month), 0);
  return {
    month: months.map(({ month }) => month).join(','),
    requests: sum(({ requests }) => requests),
    promptTokens: sum(({ promptTokens }) => promptTokens),
    completionTokens: sum(({ completionTokens }) => completionTokens),
    costNanoUsd: sum(({ costNanoUsd }) => costNanoUsd),
    models: mergeLines(months.flatMap(({ models }) => models)),
    keys: mergeLines(months.flatMap(({ keys }) => keys)),
  };
}

/** One line per id with its sums, costliest first, then by tokens and id. The name is the last one's. */
export function mergeLines(lines: readonly UsageLine[]): UsageLine[] {
  const byId = new Map<string, UsageLine>();
  for (const line of lines) {
    const known = byId.get(line.id);
    byId.set(line.id, known ? addLines(known, line) : line);
  }
  return [...byId.values()].sort(
    (a, b) =>
      b.costNanoUsd - a.costNanoUsd ||
      b.promptTokens + b.completionTokens - a.promptTokens - a.completionTokens ||
      (a.id < b.id ? -1 : 1),
  );
}

function addLines(a: UsageLine, b: UsageLine): UsageLine {
  return {
    id: a.id,
    name: b.name,
    requests: a.requests + b.requests,
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    costNanoUsd: a.costNanoUsd + b.costNanoUsd,
  };
}
