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

export interface UsageMonth extends Consumption {
  readonly month: string;
  readonly models: readonly UsageLine[];
  readonly keys: readonly UsageLine[];
}

/** Sums with their lines: a month, or several as one. */
export type UsageSums = Omit<UsageMonth, 'month'>;

export interface UserMonth {
  readonly userId: string;
  /** UTC, `YYYY-MM` */
  readonly month: string;
}

export interface UsageStore {
  /** The months that exist, of those asked for, in the order asked. */
  readMonths(userId: string, months: readonly string[]): Promise<UsageMonth[]>;
}
