import type { App } from '../../../functions/test/support/app';
import { LOCAL_USER } from '../../../functions/test/support/dashboard';
import { callRow, rateLimit, reservation, settlement } from '../../../functions/test/support/store-records';

/** A month's use of one model with one key. */
export interface Use {
  readonly month: string;
  readonly model: string;
  /** Default: `Name of` the id. */
  readonly name?: string;
  readonly key?: string;
  /** 0: no price was known, unless the model is known to be free. */
  readonly cents: number;
  readonly tokens?: number;
}

const RATE_MAX = 10_000;
const NANO_USD_A_CENT = 10_000_000;
const USUAL_TOKENS = 1_000;

/** Writes use into the store, as requests would, each with one call. */
export async function seedUsage({ container: { store } }: Pick<App, 'container'>, uses: readonly Use[]): Promise<void> {
  for (const [
    index,
    { month, model, name = `Name of ${model}`, key = 'laptop', cents, tokens = USUAL_TOKENS },
  ] of uses.entries()) {
    const startedAtMs = Date.parse(`${month}-10T12:00:00Z`);
    const about = { userId: LOCAL_USER, month, startedAtMs, keyId: `id-of-${key}`, keyName: key };
    const request = reservation(String(index).padStart(32, '0'), about);
    await store.admit(rateLimit(RATE_MAX), [request], startedAtMs);
    const tokensOfCall = { promptTokens: tokens, completionTokens: Math.floor(tokens / 2) };
    const call = callRow('call', {
      modelId: model,
      modelName: name,
      ...tokensOfCall,
      costNanoUsd: cents * NANO_USD_A_CENT,
    });
    await store.settle(settlement(request, [call], { settledAtMs: startedAtMs }));
  }
}
