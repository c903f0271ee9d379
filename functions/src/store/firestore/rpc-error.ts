const ALREADY_EXISTS = 6;
const DEADLINE_EXCEEDED = 4;
const RESOURCE_EXHAUSTED = 8;
const FAILED_PRECONDITION = 9;
const UNAVAILABLE = 14;
export const NOT_FOUND = 5;

/**
 * Codes after which reading again and deciding anew can help: a precondition that failed (the document changed, or our
 * own commit was applied and its answer lost), contention, and everything that leaves open what became of the call.
 * The others (a malformed request, missing rights) would only fail again.
 */
const UNDECIDED: ReadonlySet<number> = new Set([
  1, // CANCELLED
  2, // UNKNOWN
  DEADLINE_EXCEEDED,
  NOT_FOUND,
  ALREADY_EXISTS,
  RESOURCE_EXHAUSTED,
  FAILED_PRECONDITION,
  10, // ABORTED
  13, // INTERNAL
  UNAVAILABLE,
]);

/** True of a call that the database was too slow, too busy or too far away for. */
export function isUnavailable(error: unknown): boolean {
  return [DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, UNAVAILABLE].includes(rpcCodeOf(error) ?? -1);
}

/** The gRPC status code of an error of the SDK; undefined for any other error. */
export function rpcCodeOf(error: unknown): number | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return error instanceof Error && typeof code === 'number' ? code : undefined;
}

/** True of a query that was refused for want of an index, which is missing or still being built. */
export function isIndexMissing(error: unknown): boolean {
  const { message } = error as Error;
  return rpcCodeOf(error) === FAILED_PRECONDITION && /\brequires an? (?:\w+ )?index\b/i.test(message);
}

/** True if the call may have been applied, or would be decided otherwise after another read. */
export function isUndecided(error: unknown): boolean {
  return UNDECIDED.has(rpcCodeOf(error) ?? -1) && !isIndexMissing(error);
}
