import type { CallListener, ModelProvider, ProviderCall } from '../../models/model';
import { toModelFault } from './provider-fault';
import { readReply } from './read-reply';
import type { ReplyReader } from './reply-reader';
import { SdkExchange } from './sdk-exchange';
import { withoutThoughts } from './spoken-text';

/** Settings of a provider adapter. The SDKs' own environment variables are not read: `config.ts` does that. */
export interface ProviderOptions {
  readonly apiKey: string;
  /** Base URL of the protocol, in the form its SDK expects; absent means the provider itself. */
  readonly baseUrl?: string | undefined;
}

/** Differences between the adapters. */
export interface Protocol extends Pick<ModelProvider, 'holds'> {
  /** Address that is asked, for the log. */
  readonly address: string;
  /** Makes the SDK send the call's request; what it resolves with is not used. */
  request(call: ProviderCall, exchange: SdkExchange): Promise<unknown>;
  replyTo(call: ProviderCall, listener: CallListener): ReplyReader;
}

/** The adapter of a protocol. Whatever a call throws becomes a `ModelFault`. */
export function createAdapter({ address, request, replyTo, ...rest }: Protocol): ModelProvider {
  return withoutThoughts({
    ...rest,
    run: async (call, listener) => {
      const { signal } = call;
      try {
        const exchange = new SdkExchange(call);
        const response = await exchange.responseTo(request(call, exchange));
        return await readReply(response, replyTo(call, listener), { signal, listener });
      } catch (error) {
        throw toModelFault(error, { signal, address });
      }
    },
  });
}
