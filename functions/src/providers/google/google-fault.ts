import { ModelFault } from '../../models/model';
import { reportIn } from '../transport/http-report';
import { refusalFault } from '../transport/provider-fault';
import { fieldsOf, textOf } from '../transport/reply-fields';
import { retryAfterSeconds } from '../transport/retry-after';

/**
 * The fault of a reply that is not a 2xx. Gemini says in the body's details what others say in a header or a status:
 * how long to wait (`RetryInfo`), and that a 400 is about the key. The SDK's own error has neither these nor the headers.
 */
export async function httpFault(response: Response): Promise<ModelFault> {
  // One that is too long, or cut off, is as good as none.
  const report = reportIn(await response.text().catch(() => ''));
  const { details } = fieldsOf(report);
  const facts: unknown[] = Array.isArray(details) ? details : [];
  const more = {
    retryAfterSeconds: retryAfterSeconds(response.headers) ?? retryDelaySeconds(facts),
    cause: { status: response.status, error: report },
  };
  return facts.some(isKeyInvalid) ? new ModelFault('unauthorized', more) : refusalFault(response.status, report, more);
}

function isKeyInvalid(detail: unknown): boolean {
  return fieldsOf(detail)['reason'] === 'API_KEY_INVALID';
}

/** `retryDelay` is a protobuf duration: seconds with an `s`. */
function retryDelaySeconds(details: readonly unknown[]): number | undefined {
  for (const detail of details) {
    const seconds = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(textOf(fieldsOf(detail)['retryDelay']))?.[1];
    if (seconds !== undefined) return Number(seconds);
  }
  return undefined;
}
