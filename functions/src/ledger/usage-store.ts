/** Consumption as months add it up: whole tokens and nano-USD. */
export interface Consumption {
  /** Admitted API requests of a month or a key; calls to a model that consumed something. */
  readonly requests: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly costNanoUsd: number;
}

/** Consumption of one model, or of one key. */
export interface UsageLine extends Consumption {
  readonly id: string;
  readonly name: string;
}

/** One user's month with its lines. */
export interface UsageMonth extends Consumption {
  readonly month: string;
  readonly models: readonly UsageLine[];
  readonly keys: readonly UsageLine[];
}

/** Sums with their lines: a month, or several as one. */
export type UsageSums = Omit<UsageMonth, 'month'>;

/** Names one user's month. */
export interface UserMonth {
  readonly userId: string;
  /** UTC, `YYYY-MM` */
  readonly month: string;
}

export interface UsageStore {
  /**
   * The months that exist, of those asked for, in the order asked. Lines have the newest name of their id and come
   * sorted: highest cost first, then most tokens, then by id.
   */
  readMonths(userId: string, months: readonly string[]): Promise<UsageMonth[]>;
}
