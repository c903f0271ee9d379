/** A failed request, as the API says it (`docs/api.md`, Errors), or that it could not be reached. */
export class ApiError extends Error {
  /** HTTP status; 0: there was no reply. */
  readonly status: number;
  /** The `type` of the error, such as `recent_login_required`. */
  readonly type: string;
  /** The id by which operators find the request in their log. */
  readonly requestId: string | undefined;

  constructor(message: string, about: { status: number; type: string; requestId?: string | undefined }) {
    super(message);
    this.name = 'ApiError';
    this.status = about.status;
    this.type = about.type;
    this.requestId = about.requestId;
  }
}

/** The error that a reply with a status of 400 and above tells, whatever its body is. */
export function errorOf(response: Response, body: unknown): ApiError {
  const { error } = (body ?? {}) as { error?: { message?: unknown; type?: unknown } };
  const message = typeof error?.message === 'string' ? error.message : `The server answered ${response.status}`;
  const type = typeof error?.type === 'string' ? error.type : 'unknown';
  const requestId = response.headers.get('x-request-id') ?? undefined;
  return new ApiError(message, { status: response.status, type, requestId });
}
