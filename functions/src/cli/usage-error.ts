/** The command line cannot be understood; the message says how it should read. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
