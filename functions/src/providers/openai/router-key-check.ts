import type { RouterKeyVerdict } from '../../byok/router';
import type { Clock } from '../../lib/clock';
import { excerpt, visibleText } from '../../lib/foreign-text';
import { reportIn } from '../transport/provider-fault';
import { fieldsOf, textOf } from '../transport/reply-fields';
import { bodyText, upstreamResponse } from '../transport/upstream-request';

const TIMEOUT_MS = 5_000;
const REPORT_MAX_BYTES = 64 * 1024;

/** Asks the router if it takes a key: OpenRouter tells at `/key`, and others by refusing their list of models. */
export function routerKeyCheck(baseUrl: string, clock: Clock): (key: string) => Promise<RouterKeyVerdict> {
  return async (key) => {
    const timeout = new AbortController();
    const cancel = clock.after(TIMEOUT_MS, () => timeout.abort());
    const verdictAt = async (path: string): Promise<RouterKeyVerdict | undefined> => {
      const headers = { accept: 'application/json', authorization: `Bearer ${key}` };
      const response = await upstreamResponse({ url: `${baseUrl}/${path}`, headers, signal: timeout.signal });
      const { statusCode: status = 0 } = response;
      const report = await bodyText(response, REPORT_MAX_BYTES).catch(() => '');
      if (status === 401 || status === 403) return { refused: wordsOf(report, key) };
      if (status === 429 || status >= 500) return { unchecked: `it answers with status ${status}` };
      return status < 300 ? {} : undefined;
    };
    try {
      return (await verdictAt('key')) ?? (await verdictAt('models')) ?? {};
    } catch {
      return { unchecked: timeout.signal.aborted ? 'it did not answer in time' : 'it cannot be reached' };
    } finally {
      cancel();
    }
  };
}

/** The router's word for a refusal, in one line, without the key and a full stop. */
function wordsOf(body: string, key: string): string {
  const words = textOf(fieldsOf(reportIn(body.trim()))['message']) || 'it says no more';
  return excerpt(visibleText(words.replaceAll(key, '…'))).replace(/\.$/, '');
}
