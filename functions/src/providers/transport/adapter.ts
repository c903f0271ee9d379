import type { CallListener, ModelProvider, ProviderCall } from '../../models/model';
import { LongTexts } from './long-texts';
import { refusalOf, toModelFault } from './provider-fault';
import { readReply } from './read-reply';
import type { ReplyReader } from './reply-reader';
import { withoutThoughts } from './spoken-text';
import { type UpstreamResponse, upstreamResponse } from './upstream-request';

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

/** Headers that the protocols need: SDKs add others, which describe the machine or come from environment variables. */
const SENT_HEADERS: readonly string[] = [
  ...['accept', 'anthropic-beta', 'anthropic-version', 'authorization', 'content-type', 'user-agent'],
  ...['x-api-key', 'x-goog-api-key'],
];

/** Request options that an SDK passes on to its `fetch`, where one client serves all calls. */
interface ExchangeOptions extends Omit<RequestInit, 'body' | 'headers' | 'method' | 'signal'> {
  readonly exchange: SdkExchange;
}

/**
 * The exchange that an SDK makes for one call: the SDK writes the request and calls `fetch`; the response is kept from it and
 * read here, streams by 'data' events (ADR 4), refusals with all their headers and whatever form their report has. The
 * call's signal goes past the SDK, which would keep it for as long as its response may be read.
 */
export class SdkExchange {
  readonly longTexts: LongTexts;
  readonly fetchOptions: ExchangeOptions = { exchange: this };
  readonly #signal: AbortSignal;
  #response: Promise<UpstreamResponse> | undefined;

  constructor({ signal, inTurn }: Pick<ProviderCall, 'signal' | 'inTurn'>) {
    this.#signal = signal;
    this.longTexts = new LongTexts(inTurn);
  }

  /** A `fetch` for an SDK that takes one with each request. Rejects with the network's error or the refusal's fault. */
  readonly fetch = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    this.#response = this.#send(String(url), init);
    await this.#response;
    return new Response(null);
  };

  /** The accepted response to what `request` makes the SDK send, or what went wrong, whatever the SDK makes of that. */
  async responseTo(request: Promise<unknown>): Promise<UpstreamResponse> {
    try {
      await request;
    } catch (error) {
      if (!this.#response) throw error;
    }
    if (!this.#response) throw new TypeError('the SDK made no request');
    return this.#response;
  }

  async #send(url: string, { method = 'GET', headers, body }: RequestInit): Promise<UpstreamResponse> {
    const written = headers instanceof Headers ? headers : new Headers(headers);
    const response = await upstreamResponse({
      url,
      method,
      headers: Object.fromEntries(
        SENT_HEADERS.map((name) => [name, written.get(name) ?? '']).filter(([name = '']) => written.has(name)),
      ),
      body: typeof body === 'string' ? body : undefined,
      signal: this.#signal,
      longTexts: this.longTexts,
    });
    const { statusCode = 0 } = response;
    if (statusCode >= 200 && statusCode < 300) return response;
    throw await refusalOf(response);
  }
}

/** The `fetch` of a client that serves all calls: each request names its exchange in `fetchOptions`. */
export function sdkFetch(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  return (init as ExchangeOptions).exchange.fetch(url, init);
}
