const DOLLARS = /^\d+(\.\d+)?$/;

/** Dollars as they were written; undefined: nothing was written; null: it is no amount. */
export function budgetOf(text: string): number | null | undefined {
  const written = text.trim();
  if (written === '') return undefined;
  return DOLLARS.test(written) ? Number(written) : null;
}
