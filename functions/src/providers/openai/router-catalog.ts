import { parseRouterModels, type RouterCatalog, type RouterModel } from '../../byok/router';
import type { Clock } from '../../lib/clock';
import { parsedJson } from '../../lib/json';
import { ModelFault } from '../../models/model-fault';
import { bodyText, upstreamResponse } from '../transport/upstream-request';

const FRESH_MS = 10 * 60_000;
const TIMEOUT_MS = 10_000;
const LIST_MAX_BYTES = 4 * 1024 * 1024;

/** The router’s public list, kept for ten minutes, and longer while the router cannot be asked. */
export function createRouterCatalog(baseUrl: string, clock: Clock): RouterCatalog {
  let known: ReadonlyMap<string, RouterModel> | undefined;
  let readMs = 0;
  let asking: Promise<ReadonlyMap<string, RouterModel>> | undefined;

  return {
    models: async () => {
      if (known && clock.monotonicMs() - readMs < FRESH_MS) return known;
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      try {
        return await asking;
      } catch (error) {
        if (known) return known;
        throw error;
      }
    },
  };

  async function ask(): Promise<ReadonlyMap<string, RouterModel>> {
    const timeout = new AbortController();
    const cancel = clock.after(TIMEOUT_MS, () => timeout.abort(new ModelFault('timeout')));
    try {
      const headers = { accept: 'application/json' };
      const response = await upstreamResponse({ url: `${baseUrl}/models`, headers, signal: timeout.signal });
      const { statusCode: status } = response;
      if (status !== 200) {
        response.destroy();
        throw new ModelFault('server', { cause: { status } });
      }
      known = modelsOf(await bodyText(response, LIST_MAX_BYTES));
      readMs = clock.monotonicMs();
      return known;
    } finally {
      cancel();
    }
  }
}

/** Without the parsers' own errors, which quote the text. */
function modelsOf(text: string): ReadonlyMap<string, RouterModel> {
  try {
    return parseRouterModels(parsedJson(text));
  } catch {
    throw new ModelFault('protocol');
  }
}
