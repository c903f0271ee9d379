import type { Readable } from 'node:stream';
import { parsedJson } from '../../lib/parsed-json';
import type { ModelFault } from '../../models/model';
import { refusalFault } from './provider-fault';
import { fieldsOf } from './reply-fields';
import { type HeaderReader, retryAfterSeconds } from './retry-after';

/** What a provider says of a refusal is shorter; more of it is not read. */
const REPORT_MAX_BYTES = 64 * 1024;

/** The fault of a response that is not a 2xx. A report that is too long, or cut off, is as good as none. Never rejects. */
export async function refusalOf(
  stream: Readable,
  { status, headers }: { readonly status: number; readonly headers: HeaderReader },
): Promise<ModelFault> {
  const report = reportIn((await textOf(stream, REPORT_MAX_BYTES).catch(() => '')).trim());
  const cause = { status, error: report };
  return refusalFault(status, report, { retryAfterSeconds: retryAfterSeconds(headers), cause });
}

/**
 * Report in the body of a refusal: its `error`, or else all of it, a text where that is no JSON; undefined
 * where it says nothing. @internal
 */
export function reportIn(body: string): unknown {
  const parsed = parsedJson(body);
  if (parsed === undefined) return body || undefined;
  const first: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  const { error } = fieldsOf(first);
  return typeof error === 'object' && error ? error : first;
}

/** A whole body as text. Destroys the response and throws a `RangeError` when it is longer. */
async function textOf(response: Readable, maxBytes: number): Promise<string> {
  let text = '';
  let bytes = 0;
  for await (const piece of response.setEncoding('utf8')) {
    text += piece;
    bytes += Buffer.byteLength(piece);
    if (bytes > maxBytes) throw new RangeError('upstream body too large');
  }
  return text;
}
