const DAY_MS = 86_400_000;
const DAY_FORM = /^(\d{4})-(\d\d)-(\d\d)$/;

/** The ends that a key can be given. */
export const EXPIRY_CHOICES = [
  { id: 'never', label: 'Never' },
  { id: '30', label: '30 days' },
  { id: '90', label: '90 days' },
  { id: '365', label: '1 year' },
  { id: 'date', label: 'On a date' },
] as const;

/** One of them, and the day where it is `date`. */
export interface Expiry {
  readonly choice: (typeof EXPIRY_CHOICES)[number]['id'];
  /** `YYYY-MM-DD` in the reader's zone: the last day on which the key works. */
  readonly day: string;
}

/** That of a key without an end. */
export const NEVER: Expiry = { choice: 'never', day: '' };

/** The moment at which a key is to end, ISO 8601; undefined: never; null: the day is none. */
export function expiresAtOf({ choice, day }: Expiry, nowMs: number): string | null | undefined {
  if (choice === 'never') return undefined;
  if (choice !== 'date') return new Date(nowMs + Number(choice) * DAY_MS).toISOString();
  const [, year, month, date] = DAY_FORM.exec(day)?.map(Number) ?? [];
  if (year === undefined || month === undefined || date === undefined) return null;
  return new Date(year, month - 1, date + 1).toISOString();
}

/** The choice for a key that ends at this moment. */
export function expiryOf(expiresAt: string | null): Expiry {
  return expiresAt === null ? NEVER : { choice: 'date', day: dayIn(Date.parse(expiresAt) - 1) };
}

/** The day of a moment in the reader’s zone, as `YYYY-MM-DD`. */
function dayIn(atMs: number): string {
  const at = new Date(atMs);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
