import { faultKindOfStatus, ModelFault, type ModelFaultKind } from '../models/model';
import { fieldsOf, textOf } from './json-fields';
import { retryAfterSeconds } from './retry-after';

type ErrorClass = abstract new (...args: never[]) => Error;

/** The SDK's errors that carry no status. Passed in, since naming an SDK here would load it. */
export interface SdkErrorClasses {
  readonly APIConnectionError: ErrorClass;
  readonly APIConnectionTimeoutError: ErrorClass;
}

/** What an error has to be judged by, beside itself. */
export interface FaultContext {
  /** The call's own signal: once it is aborted, every error is a consequence of that. */
  readonly signal: AbortSignal;
  /** Absent when the SDK was not loaded yet. */
  readonly sdk?: SdkErrorClasses | undefined;
}

/** The parts of an error report that tell what went wrong; all come from the provider. */
export type ErrorReport = { readonly [Key in 'code' | 'status' | 'type' | 'message']?: unknown };

/** The providers' own words for what went wrong, in `type`, `code` or `status`. */
const KIND_OF_WORD: ReadonlyMap<string, ModelFaultKind> = new Map([
  ['rate_limit_error', 'rate_limited'],
  ['rate_limit_exceeded', 'rate_limited'],
  ['rate_limit', 'rate_limited'],
  ['too_many_requests', 'rate_limited'],
  ['insufficient_quota', 'rate_limited'],
  ['resource_exhausted', 'rate_limited'],
  ['overloaded_error', 'overloaded'],
  ['overloaded', 'overloaded'],
  ['unavailable', 'overloaded'],
  ['timeout_error', 'timeout'],
  ['deadline_exceeded', 'timeout'],
  ['authentication_error', 'unauthorized'],
  ['permission_error', 'unauthorized'],
  ['unauthenticated', 'unauthorized'],
  ['permission_denied', 'unauthorized'],
  ['not_found_error', 'not_found'],
  ['not_found', 'not_found'],
  ['invalid_request_error', 'bad_request'],
  ['invalid_argument', 'bad_request'],
]);

/** How providers say in prose that a prompt is too long; only OpenAI has a code for it. */
const CONTEXT_LENGTH =
  /context[ _]length|context window|maximum context|prompt is too long|input is too long|input token count|too many tokens/i;

/** Maps whatever an SDK or the network threw. The fault's text is ours; the error itself is its cause, for the log. */
export function toModelFault(error: unknown, { signal, sdk }: FaultContext): ModelFault {
  if (error instanceof ModelFault) return error;
  if (signal.aborted) return new ModelFault('aborted', { cause: error });
  const { status, headers, error: body } = fieldsOf<'status' | 'headers' | 'error'>(error);
  if (typeof status === 'number') {
    const kind = kindOfStatus(status, innerReport(body) ?? fieldsOf(error));
    return new ModelFault(kind, {
      retryAfterSeconds: headers instanceof Headers ? retryAfterSeconds(headers) : undefined,
      cause: error,
    });
  }
  return new ModelFault(kindWithoutStatus(error, sdk), { cause: error });
}

/** The kind of an HTTP failure. A 400 about the prompt's length is told apart: another model may still manage. */
export function kindOfStatus(status: number, report: ErrorReport): ModelFaultKind {
  return status === 400 && isContextLength(report) ? 'context_length' : faultKindOfStatus(status);
}

/** The fault of an error reported inside a stream that had begun well: an object, or a bare text. */
export function reportedFault(reported: unknown): ModelFault {
  const report: ErrorReport = typeof reported === 'string' ? { message: reported } : fieldsOf(reported);
  return new ModelFault(kindOfReport(report), { cause: reported });
}

function kindOfReport(report: ErrorReport): ModelFaultKind {
  if (isContextLength(report)) return 'context_length';
  for (const value of [report.code, report.status]) {
    const status = Number(value);
    if (status >= 400 && status < 600) return faultKindOfStatus(status);
  }
  for (const value of [report.code, report.type, report.status]) {
    const kind = KIND_OF_WORD.get(textOf(value).toLowerCase());
    if (kind) return kind;
  }
  return 'server';
}

function isContextLength({ code, message }: ErrorReport): boolean {
  return code === 'context_length_exceeded' || CONTEXT_LENGTH.test(textOf(message).slice(0, 2_000));
}

/** OpenAI's error carries the report itself, Anthropic's the body around it. */
function innerReport(body: unknown): ErrorReport | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { error } = fieldsOf<'error'>(body);
  return fieldsOf(error ?? body);
}

function kindWithoutStatus(error: unknown, sdk: SdkErrorClasses | undefined): ModelFaultKind {
  if (sdk && error instanceof sdk.APIConnectionTimeoutError) return 'timeout';
  if (sdk && error instanceof sdk.APIConnectionError) return 'network';
  // Node's system and stream errors; anything else is neither the network's fault nor the provider's word.
  return typeof fieldsOf<'code'>(error).code === 'string' ? 'network' : 'protocol';
}
