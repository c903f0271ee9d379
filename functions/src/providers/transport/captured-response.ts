import type { Readable } from 'node:stream';
import { refusalOf } from './http-report';
import { type FetchOptions, upstreamFetch, upstreamStream } from './upstream-fetch';

/** `fetch`, as an SDK that takes one with each request calls it. */
export type SdkFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * The stream of the response to the request that an SDK makes, for SDKs that return none: `send` makes it with the `fetch`
 * it is given. Rejects with the fault of a refusal or with what our `fetch` threw, and not with what the SDK makes of it,
 * which may have lost its code.
 */
export async function capturedResponse(
  fetchOptions: FetchOptions,
  send: (fetch: SdkFetch) => Promise<unknown>,
): Promise<Readable> {
  let captured: Promise<Response> | undefined;
  const fetch: SdkFetch = (input, init) => {
    captured = upstreamFetch(input, { ...init, ...fetchOptions }).then(accepted);
    return captured;
  };
  try {
    await send(fetch);
  } catch (error) {
    if (!captured) throw error;
  }
  if (!captured) throw new TypeError('the SDK made no request');
  return upstreamStream(await captured);
}

async function accepted(response: Response): Promise<Response> {
  if (response.ok) return response;
  throw await refusalOf(upstreamStream(response), response);
}
