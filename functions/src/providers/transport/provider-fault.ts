import { ModelFault, type ModelFaultKind, type ModelFaultOptions } from '../../models/model';
import { fieldsOf, textOf } from './reply-fields';
import { meantBy, refusedIn, waitSecondsIn } from './report-words';
import { retryAfterSeconds } from './retry-after';

/** The SDK's errors that carry no status. Passed in, since naming an SDK here would load it. */
export type SdkErrorClasses = Readonly<
  Record<'APIConnectionError' | 'APIConnectionTimeoutError', abstract new (...args: never[]) => Error>
>;

/** The providers' own words for what went wrong, in `type`, `code` or `status`. */
const KINDS_OF_WORDS: readonly (readonly [RegExp, ModelFaultKind])[] = [
  [/^(?:rate_limit(?:_error|_exceeded)?|too_many_requests|resource_exhausted)$/i, 'rate_limited'],
  [/^(?:overloaded(?:_error)?|unavailable)$/i, 'overloaded'],
  [/^(?:timeout_error|deadline_exceeded)$/i, 'timeout'],
  [/^(?:authentication_error|permission_error|unauthenticated|permission_denied)$/i, 'unauthorized'],
  [/^not_found(?:_error)?$/i, 'not_found'],
  [/^invalid_(?:request_error|argument)$/i, 'bad_request'],
];

/** Circumstances of a call. */
interface Made {
  readonly signal: AbortSignal;
  /** Absent where none was loaded. */
  readonly sdk?: SdkErrorClasses | undefined;
  /** Address that was asked, for the log. */
  readonly address?: string | undefined;
}

/**
 * Maps whatever an SDK or the network threw. The fault's text is ours; the error itself is its cause, for the log. Once
 * the call's signal is aborted every error is a consequence of that.
 */
export function toModelFault(error: unknown, { signal, sdk, address }: Made): ModelFault {
  if (error instanceof ModelFault) return withAddress(error, address);
  if (signal.aborted) return new ModelFault('aborted', { cause: error });
  const { status, headers, error: body, message } = fieldsOf(error);
  if (typeof status !== 'number') return new ModelFault(kindWithoutStatus(error, sdk), { cause: error });
  // OpenAI's error carries the report itself, Anthropic's the body around it; of a body that is no JSON only the message tells.
  const report = fieldsOf(body)['error'] ?? (typeof body === 'object' && body ? body : textOf(message));
  const waitSeconds = headers instanceof Headers ? retryAfterSeconds(headers) : undefined;
  return withAddress(refusalFault(status, report, { retryAfterSeconds: waitSeconds, cause: error }), address);
}

/** Only where the address is wrong it is told, and nothing but the place: no key, no query. */
function withAddress(fault: ModelFault, address: string | undefined): ModelFault {
  const url = fault.kind === 'wrong_address' && address !== undefined ? URL.parse(address) : null;
  if (!url) return fault;
  return new ModelFault(fault.kind, { address: `${url.origin}${url.pathname}`, cause: fault.cause });
}

/** The fault of an HTTP refusal, by its status and what its report means. */
export function refusalFault(
  status: number,
  report: unknown,
  more: { readonly retryAfterSeconds: number | undefined; readonly cause: unknown },
): ModelFault {
  const kind = isElsewhere(status, report) ? 'wrong_address' : meantBy(report, kindOfStatus(status));
  return faultOf(kind, report, more);
}

/** No API of a provider redirects, refuses the method, or has a page or nothing to say of a model that it does not know. */
function isElsewhere(status: number, report: unknown): boolean {
  if (status === 404) return typeof report !== 'object';
  return (status >= 300 && status < 400) || status === 405;
}

function kindOfStatus(status: number): ModelFaultKind {
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 402) return 'out_of_credit';
  if (status === 404) return 'not_found';
  if (status === 408 || status === 504) return 'timeout';
  if (status === 413) return 'context_length';
  if (status === 429) return 'rate_limited';
  if (status === 503 || status === 529) return 'overloaded';
  return status >= 500 ? 'server' : 'bad_request';
}

/** The fault of an error reported inside a stream that had begun well: an object, or a bare text. */
export function reportedFault(reported: unknown): ModelFault {
  return faultOf(meantBy(reported, kindOfReport(reported)), reported, { cause: reported });
}

function faultOf(kind: ModelFaultKind, report: unknown, more: ModelFaultOptions): ModelFault {
  const retryAfterSeconds = more.retryAfterSeconds ?? waitSecondsIn(report);
  return new ModelFault(kind, { ...more, retryAfterSeconds, refuses: kind === 'bad_request' ? refusedIn(report) : [] });
}

function kindOfReport(report: unknown): ModelFaultKind {
  const { code, status, type } = fieldsOf(report);
  for (const value of [code, status]) {
    const number = Number(value);
    if (number >= 400 && number < 600) return kindOfStatus(number);
  }
  for (const value of [code, type, status]) {
    const meant = KINDS_OF_WORDS.find(([word]) => word.test(textOf(value)));
    if (meant) return meant[1];
  }
  return 'server';
}

function kindWithoutStatus(error: unknown, sdk: SdkErrorClasses | undefined): ModelFaultKind {
  if (sdk && error instanceof sdk.APIConnectionTimeoutError) return 'timeout';
  if (sdk && error instanceof sdk.APIConnectionError) return 'network';
  // Node's system and stream errors; anything else is neither the network's fault nor the provider's word.
  return typeof fieldsOf(error)['code'] === 'string' ? 'network' : 'protocol';
}
