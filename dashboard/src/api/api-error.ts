import { MS_A_SECOND } from '../ui/time-units';

/** No limit of the API is longer. */
const RETRY_SECONDS_MAX = 3_600;

/** A failed request, as the API says it (`docs/api.md`, Errors), or that it could not be reached. */
export class ApiError extends Error {
  /** HTTP status; 0: there was no reply. */
  readonly status: number;
  /** The `type` of the error, such as `recent_login_required`. */
  readonly type: string;
  /** The id by which operators find the request in their log. */
  readonly requestId: string | undefined;
  /** The moment from which it may be asked again; undefined where the server did not say. */
  readonly retryAtMs: number | undefined;

  constructor(
    message: string,
    about: { status: number; type: string; requestId?: string | undefined; retryAtMs?: number | undefined },
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = about.status;
    this.type = about.type;
    this.requestId = about.requestId;
    this.retryAtMs = about.retryAtMs;
  }
}

/** The error that a reply with a status of 400 and above tells, whatever its body is. */
export function errorOf(response: Response, body: unknown): ApiError {
  const { error } = (body ?? {}) as { error?: { message?: unknown; type?: unknown } };
  const message = typeof error?.message === 'string' ? error.message : `The server answered ${response.status}`;
  const type = typeof error?.type === 'string' ? error.type : 'unknown';
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const retryAtMs = seconds >= 0 ? Date.now() + Math.min(seconds, RETRY_SECONDS_MAX) * MS_A_SECOND : undefined;
  return new ApiError(message, { status: response.status, type, requestId, retryAtMs });
}

/** The way to try again, for a failure that is over by itself: a limit, or a server out of reach. */
export function retryOf(error: unknown, onRetry: () => void): { readonly onRetry?: () => void } {
  const isPassing =
    error instanceof ApiError && (error.retryAtMs !== undefined || error.status === 0 || error.status >= 500);
  return isPassing ? { onRetry } : {};
}
