import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';

/** A reply that is the same for everybody until the next release. */
export interface StaticReply {
  readonly status?: 200 | 303 | 404;
  readonly bytes: Buffer;
  /** The same bytes, compressed by gzip before, for clients that take them so. */
  readonly gzipped?: Buffer | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

const FRESH_SECONDS = 300;
const TAG_CHARACTERS = 22;
/** Named, and not with a weight of 0. */
const TAKES_GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;

export function staticReply(bytes: Buffer, contentType: string, headers: StaticReply['headers'] = {}): StaticReply {
  const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, TAG_CHARACTERS);
  return {
    bytes,
    headers: {
      'cache-control': `public, max-age=${FRESH_SECONDS}`,
      ...headers,
      'content-type': contentType,
      'x-content-type-options': 'nosniff',
      etag: `"${tag}"`,
    },
  };
}

/** Sends it; to a client that has it already only that nothing has changed. */
export function sendStatic(res: ServerResponse, { status = 200, gzipped, ...reply }: StaticReply): void {
  if (res.headersSent || res.destroyed) return;
  const isGzipped = gzipped !== undefined && TAKES_GZIP.test(res.req.headers['accept-encoding']?.toString() ?? '');
  const bytes = isGzipped ? gzipped : reply.bytes;
  const headers = isGzipped ? headersGzipped(reply.headers) : reply.headers;
  if (gzipped) res.appendHeader('vary', 'accept-encoding');
  const isHeld = status === 200 && holds(res.req.headers['if-none-match'], headers['etag']);
  res.writeHead(isHeld ? 304 : status, { ...headers, ...(!isHeld && { 'content-length': bytes.length }) });
  res.end(isHeld ? undefined : bytes);
}

/** Other bytes have another tag. */
function headersGzipped({ etag = '""', ...headers }: StaticReply['headers']): StaticReply['headers'] {
  return { ...headers, etag: `${etag.slice(0, -1)}-gzip"`, 'content-encoding': 'gzip' };
}

/** The tag is quoted, so where it stands, alone, in a list or as a weak one, it is held. */
function holds(ifNoneMatch = '', etag = '*'): boolean {
  return ifNoneMatch === '*' || ifNoneMatch.includes(etag);
}
