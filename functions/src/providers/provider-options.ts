/** What every provider adapter is made from. The SDKs' own environment variables are not read: `config.ts` does that. */
export interface ProviderOptions {
  readonly apiKey: string;
  /** Where the protocol is served, in the form its SDK expects; absent means the provider itself. */
  readonly baseUrl?: string | undefined;
}

/**
 * The SDKs' own timer, as a mere backstop at the function's limit: it ends when headers arrive, so it cannot guard a
 * stream. The gateway's timers do.
 */
export const SDK_TIMEOUT_MS = 540_000;
