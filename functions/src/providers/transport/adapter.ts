import type { CallListener, ModelProvider, ProviderCall } from '../../models/model';
import { LongTexts } from './long-texts';
import { refusalOf, toModelFault } from './provider-fault';
import type { ReplyReader } from './read-reply';
import { readReply } from './read-reply';
import { SpokenText } from './spoken-text';
import { type UpstreamResponse, upstreamResponse } from './upstream-request';

/** Settings of a provider adapter. The SDKs' own environment variables are not read: `config.ts` does that. */
export interface ProviderOptions {
  readonly apiKey: string;
  /** Base URL of the protocol, in the form its SDK expects; absent means the provider itself. */
  readonly baseUrl?: string | undefined;
}

type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Parts that an SDK's request of one call is made with. */
export interface Exchange {
  readonly longTexts: LongTexts;
  /** For an SDK that takes a `fetch` with each request. */
  readonly fetch: Fetch;
  /** For one whose client serves all calls, by `sdkFetch`. */
  readonly fetchOptions: Pick<RequestInit, 'redirect'> & { readonly send: Fetch };
}

/** Differences between the adapters. */
export interface Protocol extends Pick<ModelProvider, 'holds'> {
  /** Address that is asked, for the log. */
  readonly address: string;
  /** Makes the SDK send the call's request; what it resolves with is not used. */
  request(call: ProviderCall, exchange: Exchange): Promise<unknown>;
  replyTo(call: ProviderCall, listener: CallListener): ReplyReader;
}

/** The adapter of a protocol. Whatever a call throws becomes a `ModelFault`. */
export function createAdapter({ address, request, replyTo, ...rest }: Protocol): ModelProvider {
  return {
    ...rest,
    run: async (call, heardBy) => {
      const { signal } = call;
      const listener = new SpokenText(call, heardBy);
      try {
        const response = await responseTo(call, request);
        const finishReason = await readReply(response, replyTo(call, listener), { signal, listener });
        await listener.end();
        return finishReason;
      } catch (error) {
        throw toModelFault(error, { signal, address });
      }
    },
  };
}

/** The `fetch` of a client that serves all calls: each request names its own in `fetchOptions`. */
export function sdkFetch(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  return (init as Exchange['fetchOptions']).send(url, init);
}

/** The accepted response to the request that the SDK writes: read here, not by the SDK, which would keep the call’s signal. */
async function responseTo(call: ProviderCall, request: Protocol['request']): Promise<UpstreamResponse> {
  const longTexts = new LongTexts(call.inTurn);
  const sent: { response?: Promise<UpstreamResponse> } = {};
  const send: Fetch = async (url, init = {}) => {
    sent.response = acceptedResponse(String(url), init, { signal: call.signal, longTexts });
    await sent.response;
    return new Response(null);
  };
  try {
    await request(call, { longTexts, fetch: send, fetchOptions: { send } });
  } catch (error) {
    // A failure of the request itself is told by the response, whatever the SDK makes of it.
    if (!sent.response) throw error;
  }
  if (!sent.response) throw new TypeError('the SDK made no request');
  return sent.response;
}

/** Headers that the protocols need: SDKs add others, which describe the machine or come from environment variables. */
const SENT_HEADERS: readonly string[] = [
  ...['accept', 'anthropic-beta', 'anthropic-version', 'authorization', 'content-type', 'user-agent'],
  ...['x-api-key', 'x-goog-api-key'],
];

/** Rejects with the network's error or the refusal's fault. */
async function acceptedResponse(
  url: string,
  { method = 'GET', headers, body }: RequestInit,
  call: { readonly signal: AbortSignal; readonly longTexts: LongTexts },
): Promise<UpstreamResponse> {
  const written = [...new Headers(headers)].filter(([name]) => SENT_HEADERS.includes(name));
  const text = typeof body === 'string' ? body : undefined;
  const response = await upstreamResponse({ url, method, headers: Object.fromEntries(written), body: text, ...call });
  const { statusCode = 0 } = response;
  if (statusCode >= 200 && statusCode < 300) return response;
  throw await refusalOf(response);
}
