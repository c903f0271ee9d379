import { ModelFault } from '../models/model';
import { fieldsOf, textOf } from './json-fields';
import { kindOfStatus } from './provider-fault';

/** How the SDK begins its message about an event that is not JSON; it has no class or code for it. */
const BAD_JSON = 'Error parsing JSON response';

/**
 * Maps what the Google SDK threw. Its errors keep no headers, so the wait it asks for is read from the body's
 * `RetryInfo`; a wrong key comes as a 400. Everything without a status is a broken connection or stream, except an
 * event that is not JSON.
 */
export function toGoogleFault(error: unknown, signal: AbortSignal): ModelFault {
  if (error instanceof ModelFault) return error;
  if (signal.aborted) return new ModelFault('aborted', { cause: error });
  const { status, errorDetails, message } = fieldsOf<'status' | 'errorDetails' | 'message'>(error);
  if (typeof status !== 'number') {
    return new ModelFault(textOf(message).includes(BAD_JSON) ? 'protocol' : 'network', { cause: error });
  }
  const details: unknown[] = Array.isArray(errorDetails) ? errorDetails : [];
  const kind = details.some(isKeyInvalid) ? 'unauthorized' : kindOfStatus(status, { message });
  return new ModelFault(kind, { retryAfterSeconds: retryDelaySeconds(details), cause: error });
}

function isKeyInvalid(detail: unknown): boolean {
  return fieldsOf<'reason'>(detail).reason === 'API_KEY_INVALID';
}

/** `retryDelay` is a protobuf duration: seconds with an `s`. */
function retryDelaySeconds(details: readonly unknown[]): number | undefined {
  for (const detail of details) {
    const seconds = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(textOf(fieldsOf<'retryDelay'>(detail).retryDelay))?.[1];
    if (seconds !== undefined) return Number(seconds);
  }
  return undefined;
}
