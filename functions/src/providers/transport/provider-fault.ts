import { parsedJson } from '../../lib/json';
import { ModelFault, type ModelFaultKind, type ModelFaultOptions } from '../../models/model-fault';
import { fieldsOf, isSystemError, textOf } from './reply-fields';
import { meantBy, refusedIn, waitSecondsIn } from './report-words';
import { bodyText, type UpstreamResponse } from './upstream-request';

/** Words of the providers for a failure, in `type`, `code` or `status` of a report. */
const KINDS_OF_WORDS: readonly (readonly [RegExp, ModelFaultKind])[] = [
  [/^(?:rate_limit(?:_error|_exceeded)?|too_many_requests|resource_exhausted)$/i, 'rate_limited'],
  [/^(?:overloaded(?:_error)?|unavailable)$/i, 'overloaded'],
  [/^(?:timeout_error|deadline_exceeded)$/i, 'timeout'],
  [/^(?:authentication_error|permission_error|unauthenticated|permission_denied)$/i, 'unauthorized'],
  [/^not_found(?:_error)?$/i, 'not_found'],
  [/^invalid_(?:request_error|argument)$/i, 'bad_request'],
];

const KINDS_OF_STATUS: Readonly<Record<number, ModelFaultKind>> = {
  401: 'unauthorized',
  402: 'out_of_credit',
  403: 'unauthorized',
  404: 'not_found',
  408: 'timeout',
  413: 'context_length',
  429: 'rate_limited',
  503: 'overloaded',
  504: 'timeout',
  529: 'overloaded',
};

/** A refusal's report is shorter; more of it is not read. */
const REPORT_MAX_BYTES = 64 * 1024;

/** Fault of a response that is not a 2xx. A report that is too long, or cut off, is as good as none. Never rejects. */
export async function refusalOf(response: UpstreamResponse): Promise<ModelFault> {
  const { statusCode: status = 0, headers } = response;
  const report = reportIn((await bodyText(response, REPORT_MAX_BYTES).catch(() => '')).trim());
  const kind = isElsewhere(status, report) ? 'wrong_address' : meantBy(report, kindOfStatus(status));
  return faultOf(kind, report, { retryAfterSeconds: retryAfterSeconds(headers), cause: { status, error: report } });
}

/** Fault of an error reported inside a stream that had begun well: an object, or a bare text. */
export function reportedFault(reported: unknown): ModelFault {
  return faultOf(meantBy(reported, kindOfReport(reported)), reported, { cause: reported });
}

/**
 * Fault of whatever a call threw; the error itself is its cause, for the log. Once the call's signal is aborted every other
 * error is a consequence of that.
 */
export function toModelFault(
  error: unknown,
  { signal, address }: { readonly signal: AbortSignal; readonly address: string },
): ModelFault {
  if (!(error instanceof ModelFault)) {
    const kind = isSystemError(error) ? 'network' : 'protocol';
    return new ModelFault(signal.aborted ? 'aborted' : kind, { cause: error });
  }
  // A wrong address is named, without a key or a query.
  const url = error.kind === 'wrong_address' ? URL.parse(address) : null;
  return url ? new ModelFault(error.kind, { address: `${url.origin}${url.pathname}`, cause: error.cause }) : error;
}

/**
 * Report in the body of a refusal: its `error`, or else all of it, a text where that is no JSON; undefined for an empty body.
 * @internal
 */
export function reportIn(body: string): unknown {
  const parsed = parsedJson(body);
  if (parsed === undefined) return body || undefined;
  const first: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  const { error } = fieldsOf(first);
  return typeof error === 'object' && error ? error : first;
}

/** No API of a provider redirects, refuses the method, or has a page or nothing to say of a model that it does not know. */
function isElsewhere(status: number, report: unknown): boolean {
  if (status === 404) return typeof report !== 'object';
  return (status >= 300 && status < 400) || status === 405;
}

function kindOfStatus(status: number): ModelFaultKind {
  return KINDS_OF_STATUS[status] ?? (status >= 500 ? 'server' : 'bad_request');
}

function kindOfReport(report: unknown): ModelFaultKind {
  const { code, status, type } = fieldsOf(report);
  const number = [code, status].map(Number).find((each) => each >= 400 && each < 600);
  if (number !== undefined) return kindOfStatus(number);
  const words = [code, type, status].map(textOf);
  return words.flatMap((word) => KINDS_OF_WORDS.find(([pattern]) => pattern.test(word))?.[1] ?? [])[0] ?? 'server';
}

function faultOf(kind: ModelFaultKind, report: unknown, more: ModelFaultOptions): ModelFault {
  const retryAfterSeconds = more.retryAfterSeconds ?? waitSecondsIn(report);
  return new ModelFault(kind, { ...more, retryAfterSeconds, refuses: kind === 'bad_request' ? refusedIn(report) : [] });
}

/** A day's name and what may follow: the date parser makes a date of nearly anything, `-3` for one. */
const HTTP_DATE = /^[A-Z][a-z]{2,8},? [\w: -]{8,40}$/;

/**
 * Wait that a reply asks for: `retry-after-ms` (as OpenAI sends it), else `Retry-After` as seconds or as an HTTP date, which
 * is counted from the reply's own `Date`: a skewed clock does not matter. Never negative. @internal
 */
export function retryAfterSeconds(headers: UpstreamResponse['headers']): number | undefined {
  const { 'retry-after-ms': milliseconds, 'retry-after': retryAfter = '', date } = headers;
  const waitMs = secondsIn(milliseconds);
  if (waitMs !== undefined) return waitMs / 1_000;
  if (!HTTP_DATE.test(retryAfter)) return secondsIn(retryAfter);
  const seconds = (Date.parse(retryAfter) - (date === undefined ? Date.now() : Date.parse(date))) / 1_000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

function secondsIn(header: string | string[] | undefined): number | undefined {
  return /^\s*\d{1,9}(?:\.\d{1,9})?\s*$/.test(String(header)) ? Number(header) : undefined;
}
