/** What an option stands for; without `value` it is a flag. */
export interface OptionRow {
  readonly value?: string;
  readonly text: string;
}

/** All options of all commands. */
export const OPTION_TABLE = {
  user: { value: 'U', text: 'the id of a user' },
  name: { value: 'N', text: 'what the key is called in usage reports' },
  id: { value: 'ID', text: 'the id of a key, as `keys list` shows it' },
  expires: { value: 'WHEN', text: 'hours or days from now (12h, 90d), or a date such as 2027-01-31' },
  models: { value: 'LIST', text: 'ids of models, separated by commas; * stands for any characters' },
  endpoints: { value: 'LIST', text: 'of chat.completions, responses, evaluations, runs, usage, models' },
  rpm: { value: 'N', text: 'requests in any 60 seconds, up to the limit of a user' },
  budget: { value: 'USD', text: 'US dollars in a UTC month' },
  overlap: { value: 'TIME', text: 'how long the old key works on: 0, 1h, 24h or 7d' },
  tier: { value: 'TIER', text: 'pro, byok or free' },
  status: {
    value: 'STATUS',
    text: 'active, trialing, past_due, canceled, unpaid, paused, incomplete or incomplete_expired',
  },
  monthly: { value: 'USD', text: 'US dollars in a UTC month, or none' },
  deployment: { text: 'the deployment as a whole, instead of a user' },
  start: { value: 'DATE', text: 'a date or Unix seconds; default: the start of this UTC month' },
  end: { value: 'DATE', text: 'a date or Unix seconds; default: now' },
  since: { value: 'WHEN', text: 'hours or days ago (12h, 30d), or a date' },
  after: { value: 'U', text: 'go on behind this user' },
  to: { value: 'FILE', text: 'a file that does not exist yet' },
} as const satisfies Readonly<Record<string, OptionRow>>;

export type OptionName = keyof typeof OPTION_TABLE;

/** Options that every command takes. */
export const COMMON_OPTIONS = {
  json: { text: 'one JSON value on stdout, for scripts' },
  store: { value: 'KIND', text: 'embedded or firestore; default: as STORE says' },
  help: { text: 'what a command does, its options, and examples' },
} as const satisfies Readonly<Record<string, OptionRow>>;

/** An option as it is typed: `--user U`. */
export function typed(name: keyof typeof ALL_OPTIONS): string {
  return typedAs(name, ALL_OPTIONS[name]);
}

/**
 * An option of any table as it is typed.
 * @internal for studies of quality
 */
export function typedAs(name: string, { value }: OptionRow): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

/** Both tables. */
export const ALL_OPTIONS = { ...OPTION_TABLE, ...COMMON_OPTIONS };
