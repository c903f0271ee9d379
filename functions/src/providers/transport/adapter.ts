import type { Readable } from 'node:stream';
import type { CallListener, ModelProvider, ProviderCall } from '../../models/model';
import { LongTexts } from './long-texts';
import { type SdkErrorClasses, toModelFault } from './provider-fault';
import { type ReplyReader, readReply } from './reply-reader';
import { withoutThoughts } from './spoken-text';
import type { FetchOptions } from './upstream-fetch';

/** Settings of a provider adapter. The SDKs' own environment variables are not read: `config.ts` does that. */
export interface ProviderOptions {
  readonly apiKey: string;
  /** Base URL of the protocol, in the form its SDK expects; absent means the provider itself. */
  readonly baseUrl?: string | undefined;
}

/**
 * Signal and long texts of one request. As an SDK's own `signal` it would never be let go: Anthropic's
 * keeps what it has heard of a signal for as long as the response may be read, and the signal of a call that broke off
 * leads, over the fault's stack, to its prompt, its text and that response.
 */
export type SendOptions = FetchOptions & Required<Pick<FetchOptions, 'callSignal' | 'longTexts'>>;

/** Differences between the adapters. */
export interface Protocol extends Pick<ModelProvider, 'holds'> {
  /** Address that is asked, for the log. */
  readonly address: string;
  /** Sends the request and resolves with the response, once the server has accepted it. */
  send(call: ProviderCall, options: SendOptions): Promise<Readable>;
  replyTo(call: ProviderCall, listener: CallListener): ReplyReader;
  /** Those of an SDK whose errors of the network are its own, once it is loaded. */
  sdk?(): SdkErrorClasses | undefined;
}

/** The adapter of a protocol. Whatever a call throws becomes a `ModelFault`. */
export function createAdapter({ address, send, replyTo, sdk, ...rest }: Protocol): ModelProvider {
  return withoutThoughts({
    ...rest,
    run: async (call, listener) => {
      const { signal } = call;
      try {
        const response = await send(call, { callSignal: signal, longTexts: new LongTexts(call.inTurn) });
        return await readReply(response, replyTo(call, listener), { signal, listener });
      } catch (error) {
        throw toModelFault(error, { signal, sdk: sdk?.(), address });
      }
    },
  });
}
