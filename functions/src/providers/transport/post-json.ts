import type { SendOptions } from './adapter';
import type { UpstreamResponse } from './content-coding';
import { refusalOf } from './http-report';
import { upstreamResponse } from './upstream-fetch';

/**
 * Posts JSON as OpenAI's protocols want it, and resolves with the response once it was accepted. Rejects with what the
 * network threw, or with the fault that the server's refusal stands for.
 */
export async function postJson(
  url: string,
  apiKey: string,
  { body, callSignal, longTexts }: SendOptions & { readonly body: object },
): Promise<UpstreamResponse> {
  const response = await upstreamResponse({
    url,
    method: 'POST',
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'user-agent': 'ensemble-api',
    },
    body: JSON.stringify(body),
    signals: [callSignal],
    longTexts,
  });
  const { statusCode: status = 0 } = response;
  if (status >= 200 && status < 300) return response;
  const get = (name: string): string | null => response.headers[name]?.toString() ?? null;
  throw await refusalOf(response, { status, headers: { get } });
}
