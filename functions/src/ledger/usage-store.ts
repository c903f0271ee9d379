/** Consumption as months add it up: whole tokens and nano-USD. */
export interface Consumption {
  /** Admitted API requests of a month or a key; calls to a model that consumed something. */
  readonly requests: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly costNanoUsd: number;
}

export interface UsageLine extends Consumption {
  readonly id: string;
  readonly name: string;
}

export interface UsageMonth extends UsageSums {
  readonly month: string;
  /** Days of UTC, as `YYYY-MM-DD`; requests that were booked before days were kept are in none. */
  readonly days: readonly UsageLine[];
}

/** Sums with their lines: a month, or several as one. */
export interface UsageSums extends Consumption {
  readonly models: readonly UsageLine[];
  readonly keys: readonly UsageLine[];
}

export interface UserMonth {
  readonly userId: string;
  /** UTC, `YYYY-MM` */
  readonly month: string;
}

export interface UsageStore {
  /** The months that exist, of those asked for, in the order asked. */
  readMonths(userId: string, months: readonly string[]): Promise<UsageMonth[]>;
}
