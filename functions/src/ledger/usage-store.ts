/** What was consumed, as months add it up: whole tokens and nano-USD. */
export interface Consumption {
  /** Of a month or a key: admitted API requests; of a model: calls to it that consumed something. */
  readonly requests: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly costNanoUsd: number;
}

/** What one model, or one key, consumed. */
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
