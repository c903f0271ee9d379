import { outcomeOf } from '../ledger/call-row';
import { anySignal } from '../lib/any-signal';
import { estimatePromptTokens } from '../models/estimate-tokens';
import {
  type AttemptEntry,
  type CallResult,
  failedCall,
  type GatewayCall,
  type ModelGateway,
} from '../models/gateway/gateway-call';
import { USUAL_REPLY_TOKENS } from '../models/prices';
import { SEARCHES, withSearches } from '../models/web-search';

export interface RunLease {
  readonly tokens: number;
  extend(tokens: number): Promise<boolean>;
  /** Tokens that the grant held for this run when it was last asked. */
  tokensMax(): number;
}

/** One platform call: what it was taken for at first, and what it has come to. */
interface PlatformCall {
  readonly promptTokens: number;
  readonly attempts: AttemptEntry[];
  result: CallResult | undefined;
}

/** No reply of a platform model is longer on a grant: every model on offer can write as much, and none is asked for more. */
const OUTPUT_TOKENS_MAX = 16_000;

/** A gateway that lets a run's platform calls begin, and go on, only within its lease. */
export function grantedGateway(gateway: ModelGateway, lease: RunLease): ModelGateway {
  const calls = new Set<PlatformCall>();
  let leased = lease.tokens;
  let extended: Promise<unknown> = Promise.resolve();

  return {
    call: (call) => (call.model.provider === 'router' ? gateway.call(call) : callOnGrant(call)),
  };

  async function callOnGrant(call: GatewayCall): Promise<CallResult> {
    if (call.signal.aborted) return failedCall('aborted');
    const promptTokens = estimatePromptTokens(call.prompt, call.outputSchema?.schema);
    const counted: PlatformCall = {
      ...withSearches(promptTokens, call.prompt.webSearch && SEARCHES.usual),
      attempts: [],
      result: undefined,
    };
    calls.add(counted);
    if (await fits()) return callWatched(call, counted);
    calls.delete(counted);
    return failedCall('token_grant_used_up');
  }

  /** Makes a call, and stops it once all of them have come to more than the grant holds. */
  async function callWatched(call: GatewayCall, counted: PlatformCall): Promise<CallResult> {
    const stop = new AbortController();
    let failure: Error | undefined;
    let isAsking = false;
    const onProgress = (): void => {
      // An ordinary reply was counted in when the call began.
      if (isAsking || consumedTokens(counted) <= usualTokens(counted) || neededTokens() <= leased) return;
      isAsking = true;
      fits(USUAL_REPLY_TOKENS)
        .then((granted) => granted || fits())
        .then(
          (granted) => granted || stop.abort(),
          (error: Error) => {
            failure = error;
            stop.abort();
          },
        )
        .finally(() => {
          isAsking = false;
        });
    };
    counted.result = await gateway.call({
      ...call,
      signal: anySignal(call.signal, stop.signal),
      outputTokensMax: Math.min(call.outputTokensMax ?? Infinity, outputTokensMax(counted)),
      onProgress,
      openAttempt: async (...opening) => {
        const entry = await call.openAttempt(...opening);
        counted.attempts.push(entry);
        return entry;
      },
    });
    if (failure) throw failure;
    const { result } = counted;
    return stop.signal.aborted && !result.ok ? { ...result, fault: 'token_grant_used_up' } : result;
  }

  function outputTokensMax(counted: PlatformCall): number {
    const leftTokens = lease.tokensMax() - (neededTokens() - tokensOf(counted)) - counted.promptTokens;
    return Math.max(1, Math.min(OUTPUT_TOKENS_MAX, Math.floor(leftTokens)));
  }

  /** Extends the lease where it must, one call after another: it may have become large enough for those that wait. */
  function fits(spareTokens = 0): Promise<boolean> {
    const extend = async (): Promise<boolean> => {
      if (neededTokens() <= leased) return true;
      const tokens = neededTokens() + spareTokens;
      const granted = await lease.extend(tokens);
      if (granted) leased = tokens;
      return granted;
    };
    const extending = extended.then(extend, extend);
    extended = extending;
    return extending;
  }

  function neededTokens(): number {
    return [...calls].reduce((sum, call) => sum + tokensOf(call), 0);
  }
}

/** A call under way counts for at least its prompt and an ordinary reply. */
function tokensOf(call: PlatformCall): number {
  const consumed = consumedTokens(call);
  return call.result ? consumed : Math.max(consumed, usualTokens(call));
}

function usualTokens({ promptTokens }: PlatformCall): number {
  return promptTokens + USUAL_REPLY_TOKENS;
}

/** Consumption of a call so far; one refused before any output, to nothing. */
function consumedTokens({ promptTokens, attempts, result }: PlatformCall): number {
  const refused = result?.ok === false && outcomeOf(result.fault) === 'failed';
  return attempts.reduce((sum, { meter: { usage, characters, tokens } }) => {
    const silent = usage === undefined && characters === 0;
    const read = usage?.promptTokens ?? (refused && silent ? 0 : promptTokens);
    // While it is under way there is more text than the last report covers.
    const written = result ? usage?.completionTokens : Math.max(usage?.completionTokens ?? 0, tokens);
    return sum + read + (written ?? tokens);
  }, 0);
}
