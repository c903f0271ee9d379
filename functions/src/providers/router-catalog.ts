import { parseRouterModels, type RouterCatalog, type RouterModel } from '../byok/router-models';
import type { Clock } from '../lib/clock';
import { ModelFault } from '../models/model';
import { parseJson } from './json-fields';
import { upstreamFetch } from './upstream-fetch';

/** Which router, and whose time its list ages by. */
export interface RouterCatalogOptions {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly clock: Clock;
}

const FRESH_MS = 10 * 60_000;
const TIMEOUT_MS = 10_000;

interface Known {
  readonly models: ReadonlyMap<string, RouterModel>;
  readonly readAtMs: number;
}

/**
 * The router's public list (`GET /models`): asked without any key, at most 4 MiB and ten seconds long, never by way of a
 * redirect. It is kept for ten minutes, and longer while the router cannot be asked; those who want it at the same time
 * share one request. Throws a `ModelFault` when there is none at all.
 */
export function createRouterCatalog({ baseUrl, clock }: RouterCatalogOptions): RouterCatalog {
  let known: Known | undefined;
  let asking: Promise<Known> | undefined;

  return {
    models: async () => {
      if (known && clock.nowMs() - known.readAtMs < FRESH_MS) return known.models;
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      try {
        known = await asking;
      } catch (error) {
        if (!known) throw error;
      }
      return known.models;
    },
  };

  async function ask(): Promise<Known> {
    const timeout = new AbortController();
    const cancel = clock.after(TIMEOUT_MS, () => timeout.abort(new ModelFault('timeout')));
    try {
      const headers = { accept: 'application/json' };
      const response = await upstreamFetch(`${baseUrl}/models`, { headers, signal: timeout.signal });
      if (response.status !== 200) {
        response.stream.destroy();
        throw new ModelFault('server', { cause: { status: response.status } });
      }
      return { models: modelsOf(await response.text()), readAtMs: clock.nowMs() };
    } finally {
      cancel();
    }
  }
}

/** Without the parsers' own errors, which quote the text. */
function modelsOf(text: string): ReadonlyMap<string, RouterModel> {
  const body = parseJson(text);
  try {
    return parseRouterModels(body);
  } catch {
    throw new ModelFault('protocol');
  }
}
