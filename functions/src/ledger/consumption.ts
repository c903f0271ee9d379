import type { CallRow } from './call-row';
import type { Consumption, UsageLine, UsageSums } from './usage-store';

/** Contribution of one settled request to its month. */
export interface RequestConsumption {
  /** For the month itself and for the key's line: one request, the sums of all its calls. */
  readonly total: Consumption;
  /** Tokens both ways of the calls that no key of the user's own paid for: what counts against a token grant. */
  readonly platformTokens: number;
  readonly models: readonly UsageLine[];
}

const COUNTS = [
  'promptTokens',
  'completionTokens',
  'cachedPromptTokens',
  'cacheWritePromptTokens',
  'reasoningTokens',
  'webSearches',
  'costNanoUsd',
] as const;

export function perCount<T>(of: (count: keyof Consumption) => T): Record<keyof Consumption, T> {
  return {
    requests: of('requests'),
    promptTokens: of('promptTokens'),
    completionTokens: of('completionTokens'),
    costNanoUsd: of('costNanoUsd'),
  };
}

/** Throws a RangeError for a count that is no whole number from 0 to 2^53 - 1, and for a duration that is not finite. */
export function assertCounts(calls: readonly CallRow[]): void {
  for (const call of calls) {
    const counts = { cacheWritePromptTokens: 0, webSearches: 0, ...call };
    for (const count of COUNTS) {
      const value = counts[count];
      if (!Number.isSafeInteger(value) || value < 0) {
        throw new RangeError(`call ${call.callId}: ${count} is not a count: ${value}`);
      }
    }
    if (!Number.isFinite(call.durationMs)) throw new RangeError(`call ${call.callId}: no duration: ${call.durationMs}`);
  }
}

/** Adds up the calls of one request; one that consumed nothing makes no model line. Throws as `assertCounts` does. */
export function consumptionOf(calls: readonly CallRow[]): RequestConsumption {
  assertCounts(calls);
  const consuming = calls.filter((call) => call.promptTokens + call.completionTokens + call.costNanoUsd > 0);
  const lines = consuming.map((call) => ({ ...call, id: call.modelId, name: call.modelName, requests: 1 }));
  const total = { ...sumOf(lines), requests: 1 };
  for (const sum of Object.values(total)) {
    if (!Number.isSafeInteger(sum)) throw new RangeError(`sum of counts is too large: ${sum}`);
  }
  const platform = sumOf(lines.filter(({ ownKey }) => !ownKey));
  // Beyond what any grant holds anyway: no reason to refuse a settlement.
  const platformTokens = Math.min(platform.promptTokens + platform.completionTokens, Number.MAX_SAFE_INTEGER);
  return { total, platformTokens, models: linesById(lines) };
}

/** Several months, or requests, as one. */
export function addUp(parts: readonly UsageSums[]): UsageSums {
  return {
    ...sumOf(parts),
    models: mergeLines(parts.flatMap(({ models }) => models)),
    keys: mergeLines(parts.flatMap(({ keys }) => keys)),
  };
}

/** One line per id with its sums and its last name; costliest first, then by tokens and id. */
export function mergeLines(lines: readonly UsageLine[]): UsageLine[] {
  return linesById(lines).sort(
    (a, b) =>
      b.costNanoUsd - a.costNanoUsd ||
      b.promptTokens + b.completionTokens - a.promptTokens - a.completionTokens ||
      (a.id < b.id ? -1 : 1),
  );
}

/** One line per id with its sums and its last name, in the order the ids came. */
function linesById(lines: readonly UsageLine[]): UsageLine[] {
  const byId = Map.groupBy(lines, ({ id }) => id);
  return [...byId].map(([id, same]) => ({ id, name: same.at(-1)?.name ?? '', ...sumOf(same) }));
}

function sumOf(parts: readonly Consumption[]): Consumption {
  return perCount((count) => parts.reduce((sum, part) => sum + part[count], 0));
}

/** Models, and keys, that one user's month tells apart. Ids are free text, and anybody may invent a million. */
const LINES_MAX = 200;

/** The line of everything beyond them. A model that is called so is counted with the others. */
export const OTHER_ID = 'other';

/** Name of the line of the others, by kind of line. */
export type OtherName = 'Other models' | 'Other keys';

/** The ids that have a line of their own in a month; `OTHER_ID` is none of them. */
export type ListedIds = Pick<ReadonlySet<string>, 'has' | 'size'>;

/** Lines of a month: first come, first listed, and for good; all further ids together as `OTHER_ID`. So sums stay exact. */
export function capLines(lines: readonly UsageLine[], listed: ListedIds, otherName: OtherName): UsageLine[] {
  let size = listed.size;
  const placed = lines.map((line) => {
    if (line.id !== OTHER_ID && listed.has(line.id)) return line;
    if (line.id === OTHER_ID || size >= LINES_MAX) return { ...line, id: OTHER_ID, name: otherName };
    size += 1;
    return line;
  });
  return linesById(placed);
}
