/** Number of entries that are read back of a list. */
const ENTRIES_MAX = 200;

/** The fields of what was kept; none where it has none. */
export function fieldsIn(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** The entries of what was kept; none where it is no list. */
export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, ENTRIES_MAX) : [];
}

/** A text that was kept; empty where it is none. */
export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
