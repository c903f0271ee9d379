import { loadOnce } from '../../lib/lazy';
import type { CallListener, FinishReason, ModelProvider, ProviderCall } from '../../models/model';
import { type SdkErrorClasses, toModelFault } from './provider-fault';
import { upstreamFetch } from './upstream-fetch';

/** What every provider adapter is made from. The SDKs' own environment variables are not read: `config.ts` does that. */
export interface ProviderOptions {
  readonly apiKey: string;
  /** Where the protocol is served, in the form its SDK expects; absent means the provider itself. */
  readonly baseUrl?: string | undefined;
}

/**
 * What all SDK clients are made with. Their own timer is a mere backstop at the function's limit: it ends when headers
 * arrive, so it cannot guard a stream. The gateway's timers do.
 */
export const SDK_OPTIONS = { fetch: upstreamFetch, maxRetries: 0, timeout: 540_000, logLevel: 'off' } as const;

/**
 * A provider behind an SDK, which is loaded on the first call. Whatever a call throws becomes a `ModelFault`; `sdk` is
 * there for one whose errors of the network are its own, `address` is what the log says was asked.
 */
export function sdkProvider<Client>(
  load: () => Promise<{ readonly sdk?: SdkErrorClasses; readonly client: Client }>,
  address: string,
  run: (client: Client, call: ProviderCall, listener: CallListener) => Promise<FinishReason>,
): ModelProvider {
  const loaded = loadOnce(load);
  return {
    run: async (call, listener) => {
      let sdk: SdkErrorClasses | undefined;
      try {
        const { client, ...rest } = await loaded();
        sdk = rest.sdk;
        return await run(client, call, listener);
      } catch (error) {
        throw toModelFault(error, { signal: call.signal, sdk, address });
      }
    },
  };
}
