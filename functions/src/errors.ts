/**
 * Every way a request can be turned down or fail: code → HTTP status, error type, public text.
 * Where a row has no fixed text the one who refuses says it, naming the field. Source: spec "Errors".
 */
const CODES = {
  invalid_request: { status: 400, type: 'invalid_request_error', text: null },
  unauthorized: { status: 401, type: 'invalid_request_error', text: 'Unauthorized: Invalid API key' },
  no_subscription: {
    status: 403,
    type: 'permission_error',
    text: 'API access requires an active Pro subscription. Please upgrade or renew your plan.',
  },
  grant_used_up: { status: 403, type: 'permission_error', text: null },
  not_found: { status: 404, type: 'invalid_request_error', text: null },
  method_not_allowed: { status: 405, type: 'invalid_request_error', text: null },
  payload_too_large: { status: 413, type: 'invalid_request_error', text: 'Request body too large: at most 4 MiB' },
  unsupported_encoding: {
    status: 415,
    type: 'invalid_request_error',
    text: 'Unsupported content encoding: send the body uncompressed',
  },
  rate_limited: { status: 429, type: 'rate_limit_error', text: 'Rate limit exceeded' },
  internal: { status: 500, type: 'api_error', text: 'Internal server error' },
  models_failed: { status: 500, type: 'api_error', text: null },
} as const satisfies Record<string, { status: number; type: string; text: string | null }>;

export type ErrorCode = keyof typeof CODES;

/** An expected "no": a value, not an exception. `text` is safe to show to the client. */
export interface Refusal {
  readonly refused: true;
  readonly code: ErrorCode;
  readonly text: string;
  /** Extra response headers, e.g. `retry-after`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Builds a refusal; `text` is needed only for codes without a fixed one. */
export function refuse(code: ErrorCode, text?: string, headers?: Readonly<Record<string, string>>): Refusal {
  return { refused: true, code, text: text ?? fixedText(code), ...(headers && { headers }) };
}

/** Tells a refusal from any other value. */
export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && (value as Partial<Refusal>).refused === true;
}

/** A fault: something broke. `publicText` may be shown, `cause` goes to the log only. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: ErrorCode;
  readonly publicText: string;

  constructor(code: ErrorCode, text?: string, options?: { cause?: unknown }) {
    super(text ?? fixedText(code), options);
    this.code = code;
    this.publicText = this.message;
  }
}

/** The HTTP status of a code. */
export function statusOf(code: ErrorCode): number {
  return CODES[code].status;
}

/** The spec's error body: `{error: {message, type}}`, no `code` field. */
export function errorBody(code: ErrorCode, text: string): { error: { message: string; type: string } } {
  return { error: { message: text, type: CODES[code].type } };
}

function fixedText(code: ErrorCode): string {
  return CODES[code].text ?? CODES.internal.text;
}
