import { type FetchOptions, upstreamFetch } from './upstream-fetch';

/** `fetch`, as an SDK that takes one with each request calls it. */
export type SdkFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** How a request is sent, and whether the response is to be read: by returning it, or by throwing what is wrong with it. */
export interface CaptureOptions {
  readonly fetchOptions: FetchOptions;
  readonly accepted: (response: Response) => Response | Promise<Response>;
}

/**
 * The response to the request that an SDK makes, for SDKs that return none: `send` makes it with the `fetch` it is given.
 * Rejects with what our `fetch` threw, and not with what the SDK makes of it, which may have lost its code.
 */
export async function capturedResponse(
  send: (fetch: SdkFetch) => Promise<unknown>,
  { fetchOptions, accepted }: CaptureOptions,
): Promise<Response> {
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
  return captured;
}
