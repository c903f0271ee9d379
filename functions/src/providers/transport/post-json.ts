import type { ModelFault } from '../../models/model';
import type { UpstreamResponse } from './content-coding';
import { reportOf } from './http-report';
import { refusalFault } from './provider-fault';
import { retryAfterSeconds } from './retry-after';
import { type FetchOptions, upstreamResponse } from './upstream-fetch';

/** Where a request goes, and with which key. */
export interface JsonEndpoint {
  /** Of the protocol; ends in `/v1` or the like. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

/**
 * Posts JSON below a base URL, as OpenAI's protocols want it, and resolves with the response once it was accepted. Rejects
 * with what the network threw, or with the fault that the server's refusal stands for.
 */
export async function postJson(
  { baseUrl, apiKey }: JsonEndpoint,
  path: string,
  { body, fetchOptions: { callSignal, longTexts } }: { readonly body: object; readonly fetchOptions: FetchOptions },
): Promise<UpstreamResponse> {
  const response = await upstreamResponse({
    url: baseUrl + path,
    method: 'POST',
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'user-agent': 'ensemble-api',
    },
    body: JSON.stringify(body),
    signals: callSignal ? [callSignal] : [],
    ...(longTexts && { longTexts }),
  });
  const { statusCode = 0 } = response;
  if (statusCode >= 200 && statusCode < 300) return response;
  throw await refusalOf(response, statusCode);
}

async function refusalOf(response: UpstreamResponse, status: number): Promise<ModelFault> {
  const report = await reportOf(response);
  const get = (name: string): string | null => response.headers[name]?.toString() ?? null;
  return refusalFault(status, report, {
    retryAfterSeconds: retryAfterSeconds({ get }),
    cause: { status, error: report },
  });
}
