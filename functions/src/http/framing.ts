import type { IncomingMessage } from 'node:http';
import { type Refusal, refuse } from '../errors';

/** Length that the head of a request announces for its body, in bytes; 0 where it does not. */
export function declaredBytesOf({ headersDistinct }: IncomingMessage): number {
  return Number(headersDistinct['content-length']?.[0] ?? 0);
}

/** Flaw in how a request is framed, found before anything else about it is looked at; undefined when there is none. */
export function framingFlaw({ headers, headersDistinct, httpVersion }: IncomingMessage): Refusal | undefined {
  if (httpVersion === '1.1') {
    if (headers.host === undefined) return refuse('invalid_request', 'Invalid HTTP: the Host header is missing');
    const { expect } = headers;
    if (expect !== undefined && !/^100-continue$/i.test(expect)) return refuse('unknown_expectation');
  }
  const coding = headersDistinct['transfer-encoding'];
  if (coding !== undefined && !/^chunked$/i.test(coding.join())) return refuse('unknown_transfer_coding');
  return undefined;
}
