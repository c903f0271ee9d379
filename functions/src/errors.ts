/** Every way a request can be turned down or fail. Where a row has no text the place that refuses says it. */
const CODES = {
  invalid_request: { status: 400 },
  unauthorized: { status: 401, text: 'Unauthorized: Invalid API key' },
  not_signed_in: { status: 401, text: 'Not signed in: send a valid ID token of this project as Authorization: Bearer' },
  /** Changes of keys need a sign-in of the last minutes; the page asks for one and repeats the request. */
  recent_login_required: {
    status: 403,
    type: 'recent_login_required',
    text: 'This needs a recent sign-in: sign in again and repeat it',
  },
  /** App Check: the request proves its user, and not that it comes from the dashboard. The sign-in stands. */
  app_check_required: {
    status: 403,
    type: 'app_check_required',
    text: 'No valid App Check token came with the request, so the server cannot tell that it comes from the dashboard; the sign-in stands. Reload the page and let reCAPTCHA of Google load; if that does not help, tell the operator of this service',
  },
  no_subscription: {
    status: 403,
    text: 'API access requires an active Pro subscription. Please upgrade or renew your plan.',
  },
  grant_used_up: { status: 403 },
  budget_used_up: { status: 403 },
  /** The key is limited to other models or endpoints. */
  not_allowed: { status: 403 },
  not_found: { status: 404 },
  method_not_allowed: { status: 405 },
  request_timeout: { status: 408, text: 'Request timeout: the request took too long to arrive' },
  idempotency_conflict: { status: 409, text: 'Idempotency-Key was used with another body or endpoint' },
  payload_too_large: { status: 413, text: 'Request body too large: at most 4 MiB' },
  unsupported_encoding: { status: 415, text: 'Unsupported content encoding: send the body uncompressed' },
  unknown_expectation: { status: 417, text: 'Unsupported expectation: only 100-continue is known' },
  rate_limited: { status: 429, text: 'Rate limit exceeded' },
  headers_too_large: { status: 431, text: 'Request headers too large: at most 16 KiB, path and query included' },
  internal: { status: 500, text: 'Internal server error' },
  models_failed: { status: 500 },
  /** The one model that was asked takes no more for a while. */
  models_limited: { status: 429 },
  /** Every model refused it for good, so asking again is of no use, and nobody is to be woken up. */
  models_refused: { status: 400 },
  unknown_transfer_coding: {
    status: 501,
    text: 'Unsupported transfer coding: send the body as it is or in chunks',
  },
  busy: { status: 503, text: 'The server has no memory free for this request: try again shortly' },
  unhealthy: { status: 503 },
  index_missing: { status: 503, text: 'A database index is missing or still being built: try again in some minutes' },
  store_unavailable: { status: 503, text: 'The store is full, locked or out of reach: try again shortly' },
  restarting: { status: 503, text: 'The server is restarting' },
} as const;

/** The `type` of an error body by status; all others are `invalid_request_error`. */
const TYPES: Readonly<Record<number, string>> = {
  403: 'permission_error',
  429: 'rate_limit_error',
  500: 'api_error',
  503: 'api_error',
};

export type ErrorCode = keyof typeof CODES;

/** Marks a refusal: a symbol, which no JSON of a client can hold. */
const REFUSED = Symbol('refused');

/** An expected "no": a value, not an exception. `text` is safe to show to the client. */
export interface Refusal {
  readonly refused: typeof REFUSED;
  readonly code: ErrorCode;
  readonly text: string;
  /** A word by which clients of a protocol tell it, where they go on by themselves. */
  readonly reason?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Builds a refusal; `text` is needed only for codes without a fixed one. */
export function refuse(code: ErrorCode, text?: string, headers?: Readonly<Record<string, string>>): Refusal {
  return { refused: REFUSED, code, text: text ?? fixedText(code), ...(headers && { headers }) };
}

/** Refuses what would take more memory than there is for its user. Nothing was begun; a run that ends makes room. */
export function refuseBusy(): Refusal {
  return refuse('busy', undefined, { 'retry-after': '5' });
}

/** The refusal of a process that is to end: nothing was begun, and another process, or the next, will take the request. */
export function refuseRestarting(): Refusal {
  return refuse('restarting', undefined, { 'retry-after': '1' });
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && (value as Partial<Refusal>).refused === REFUSED;
}

/** A fault: something broke. `publicText` may be shown, `cause` goes to the log only. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: ErrorCode;
  readonly headers: Refusal['headers'];

  constructor(code: ErrorCode, text?: string, options: { cause?: unknown; headers?: Refusal['headers'] } = {}) {
    super(text ?? fixedText(code), options);
    this.code = code;
    this.headers = options.headers;
    // Where the code is not to blame its place tells nothing, and nobody is to look into it.
    if (code !== 'internal') this.stack = `${this.name}: ${this.message}`;
  }

  get publicText(): string {
    return this.message;
  }
}

/** The fault of a store that cannot take or give anything just now. What was asked for may be asked for again. */
export function storeUnavailable(cause: unknown): Fault {
  return new Fault('store_unavailable', undefined, { cause, headers: { 'retry-after': '5' } });
}

export function statusOf(code: ErrorCode): number {
  return CODES[code].status;
}

/** The body of every error reply (`docs/api.md`, Errors). */
export function errorBody(code: ErrorCode, text: string): { error: { message: string; type: string } } {
  return { error: { message: text, type: typeOf(code) } };
}

function typeOf(code: ErrorCode): string {
  const row: { readonly status: number; readonly type?: string } = CODES[code];
  return row.type ?? TYPES[row.status] ?? 'invalid_request_error';
}

function fixedText(code: ErrorCode): string {
  const row: { readonly status: number; readonly text?: string } = CODES[code];
  return row.text ?? CODES.internal.text;
}
