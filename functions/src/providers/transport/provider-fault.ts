import { ModelFault, type ModelFaultKind } from '../../models/model';
import { type Fields, fieldsOf, textOf } from './reply-fields';
import { retryAfterSeconds } from './retry-after';

/** The SDK's errors that carry no status. Passed in, since naming an SDK here would load it. */
export type SdkErrorClasses = Readonly<
  Record<'APIConnectionError' | 'APIConnectionTimeoutError', abstract new (...args: never[]) => Error>
>;

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

/**
 * Maps whatever an SDK or the network threw. The fault's text is ours; the error itself is its cause, for the log. Once
 * the call's signal is aborted every error is a consequence of that; `sdk` is absent where none was loaded.
 */
export function toModelFault(
  error: unknown,
  { signal, sdk }: { readonly signal: AbortSignal; readonly sdk?: SdkErrorClasses | undefined },
): ModelFault {
  if (error instanceof ModelFault) return error;
  if (signal.aborted) return new ModelFault('aborted', { cause: error });
  const { status, headers, error: body } = fieldsOf(error);
  // OpenAI's error carries the report itself, Anthropic's the body around it.
  if (typeof status === 'number') {
    const report = fieldsOf(body)['error'] ?? (typeof body === 'object' && body ? body : error);
    const kind = kindOfStatus(status, fieldsOf(report));
    return new ModelFault(kind, {
      namesEffort: namesEffort(kind, report),
      retryAfterSeconds: headers instanceof Headers ? retryAfterSeconds(headers) : undefined,
      cause: error,
    });
  }
  return new ModelFault(kindWithoutStatus(error, sdk), { cause: error });
}

/** How providers name what tells a model how much to think; each has a field of its own for it, or several. */
const EFFORT = /reasoning[ _.]?effort|\beffort\b|thinking/i;
/** Of a report no more is looked at: it may repeat the prompt. */
const REPORT_CHARACTERS_MAX = 2_000;

/** Whether a refusal is about the effort, by what its report names, wherever that stands. */
export function namesEffort(kind: ModelFaultKind, report: unknown): boolean {
  if (kind !== 'bad_request') return false;
  // An SDK's error, where the body has no report in it, shows its message only when asked.
  const words = [textOf(fieldsOf(report)['message']), JSON.stringify(report) ?? ''];
  return words.some((text) => EFFORT.test(text.slice(0, REPORT_CHARACTERS_MAX)));
}

/** The kind of an HTTP failure. A 400 about the prompt's length is told apart: another model may still manage. */
export function kindOfStatus(status: number, report: Fields): ModelFaultKind {
  return status === 400 && isContextLength(report) ? 'context_length' : faultKindOfStatus(status);
}

function faultKindOfStatus(status: number): ModelFaultKind {
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 404) return 'not_found';
  if (status === 408 || status === 504) return 'timeout';
  if (status === 429) return 'rate_limited';
  if (status === 503 || status === 529) return 'overloaded';
  return status >= 500 ? 'server' : 'bad_request';
}

/** The fault of an error reported inside a stream that had begun well: an object, or a bare text. */
export function reportedFault(reported: unknown): ModelFault {
  const report: Fields = typeof reported === 'string' ? { message: reported } : fieldsOf(reported);
  const kind = kindOfReport(report);
  return new ModelFault(kind, { namesEffort: namesEffort(kind, report), cause: reported });
}

function kindOfReport(report: Fields): ModelFaultKind {
  const { code, status, type } = report;
  if (isContextLength(report)) return 'context_length';
  for (const value of [code, status]) {
    const number = Number(value);
    if (number >= 400 && number < 600) return faultKindOfStatus(number);
  }
  for (const value of [code, type, status]) {
    const kind = KIND_OF_WORD.get(textOf(value).toLowerCase());
    if (kind) return kind;
  }
  return 'server';
}

function isContextLength({ code, message }: Fields): boolean {
  return code === 'context_length_exceeded' || CONTEXT_LENGTH.test(textOf(message).slice(0, REPORT_CHARACTERS_MAX));
}

function kindWithoutStatus(error: unknown, sdk: SdkErrorClasses | undefined): ModelFaultKind {
  if (sdk && error instanceof sdk.APIConnectionTimeoutError) return 'timeout';
  if (sdk && error instanceof sdk.APIConnectionError) return 'network';
  // Node's system and stream errors; anything else is neither the network's fault nor the provider's word.
  return typeof fieldsOf(error)['code'] === 'string' ? 'network' : 'protocol';
}
