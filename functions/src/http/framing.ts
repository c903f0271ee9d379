import type { IncomingMessage } from 'node:http';
import { type Refusal, refuse } from '../errors';

/** The headers by which a body is framed. */
type Framing = Readonly<Partial<Record<'content-length' | 'transfer-encoding', string | undefined>>>;

/** What was taken from a request so that the framework would leave its body alone. */
const taken = new WeakMap<IncomingMessage, Framing>();

/** Takes the headers that announce a body from a request; they can still be had with `framingOf`. */
export function takeFraming(request: IncomingMessage): void {
  const { headers } = request;
  taken.set(request, {
    'content-length': headers['content-length'],
    'transfer-encoding': headers['transfer-encoding'],
  });
  delete headers['content-length'];
  delete headers['transfer-encoding'];
}

/** How the body of a request is framed. */
export function framingOf(request: IncomingMessage): Framing {
  return taken.get(request) ?? request.headers;
}

/** What is wrong with a request before anything else about it is looked at; undefined when nothing is. */
export function framingFlaw(request: IncomingMessage): Refusal | undefined {
  const { headers } = request;
  if (request.httpVersion === '1.1') {
    if (headers.host === undefined) return refuse('invalid_request', 'Invalid HTTP: the Host header is missing');
    const { expect } = headers;
    if (expect !== undefined && !/^100-continue$/i.test(expect)) return refuse('unknown_expectation');
  }
  const coding = framingOf(request)['transfer-encoding'];
  if (coding !== undefined && !/^chunked$/i.test(coding)) return refuse('unknown_transfer_coding');
  return undefined;
}
