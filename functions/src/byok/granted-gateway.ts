import { outcomeOf } from '../ledger/call-row';
import type { Clock } from '../lib/clock';
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
  /** Asks for more; false when the grant does not hold that much. */
  extend(tokens: number): Promise<boolean>;
  /** Tokens that the grant held for this run when it was last asked. */
  tokensMax(): number;
}

/** One platform call: what it was taken for at first, and what it has come to. */
interface PlatformCall {
  readonly promptTokens: number;
  readonly attempts: AttemptEntry[];
  /** Undefined while it is under way. */
  result: CallResult | undefined;
}

/** No reply of a platform model is longer on a grant: every model on offer can write as much, and none is asked for more. */
const OUTPUT_TOKENS_MAX = 16_000;

/** A gateway that lets a run's platform calls begin, and go on, only within its lease. */
export function grantedGateway(gateway: ModelGateway, lease: RunLease, departure: Departure): ModelGateway {
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

  async function callWatched(call: GatewayCall, counted: PlatformCall): Promise<CallResult> {
    const { signal, onText } = call;
    const drained = drainedSignal(signal, departure);
    const watch = watchLease(counted, drained.abort);
    const openAttempt: GatewayCall['openAttempt'] = async (...opening) => {
      // For a client that has left nothing is asked again.
      if (signal.aborted) drained.abort();
      const entry = await call.openAttempt(...opening);
      counted.attempts.push(entry);
      return entry;
    };
    const result = await gateway
      .call({
        ...call,
        openAttempt,
        signal: drained.signal,
        outputTokensMax: Math.min(call.outputTokensMax ?? Infinity, outputTokensMax(counted)),
        onProgress: watch.progressed,
        ...(onText && { onText: (delta: string) => (signal.aborted ? undefined : onText(delta)) }),
      })
      .finally(drained.end);
    counted.result = result;
    if (watch.failure) throw watch.failure;
    if (signal.aborted) return result.ok ? failedCall('aborted') : result;
    return watch.usedUp && !result.ok ? { ...result, fault: 'token_grant_used_up' } : result;
  }

  /** Stops a call once all of them have come to more than the grant holds. */
  function watchLease(counted: PlatformCall, stop: () => void) {
    const watch = { usedUp: false, failure: undefined as Error | undefined, progressed };
    let isAsking = false;
    return watch;

    function progressed(): void {
      // An ordinary reply was counted in when the call began.
      if (isAsking || consumedTokens(counted) <= counted.promptTokens + USUAL_REPLY_TOKENS || neededTokens() <= leased)
        return;
      isAsking = true;
      fits(USUAL_REPLY_TOKENS).then(
        (granted) => {
          isAsking = false;
          watch.usedUp = !granted;
          if (!granted) stop();
        },
        (error: Error) => {
          watch.failure = error;
          stop();
        },
      );
    }
  }

  function outputTokensMax(counted: PlatformCall): number {
    const leftTokens = lease.tokensMax() - (neededTokens() - tokensOf(counted)) - counted.promptTokens;
    return Math.max(1, Math.min(OUTPUT_TOKENS_MAX, Math.floor(leftTokens)));
  }

  /** One at a time: the lease may have become large enough for those that wait, too. With `spare` tokens if there are any. */
  function fits(spare = 0): Promise<boolean> {
    if (neededTokens() <= leased) return Promise.resolve(true);
    const extend = async (): Promise<boolean> => (spare > 0 && (await extendBy(spare))) || extendBy(0);
    const extending = extended.then(extend, extend);
    extended = extending;
    return extending;
  }

  async function extendBy(spare: number): Promise<boolean> {
    if (neededTokens() <= leased) return true;
    const tokens = neededTokens() + spare;
    const granted = await lease.extend(tokens);
    if (granted) leased = tokens;
    return granted;
  }

  function neededTokens(): number {
    return [...calls].reduce((sum, call) => sum + tokensOf(call), 0);
  }
}

/** A call under way counts for at least its prompt and an ordinary reply. */
function tokensOf(call: PlatformCall): number {
  const consumed = consumedTokens(call);
  return call.result ? consumed : Math.max(consumed, call.promptTokens + USUAL_REPLY_TOKENS);
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

/** Time for which a call may go on for a client that has left. */
const DRAIN_MS = 2_000;

/** Signals that tell why a call is given up. */
export interface Departure {
  readonly clock: Clock;
  /** Aborted when the client has left. */
  readonly clientGone: AbortSignal;
  /** Aborted once the process is to end. */
  readonly stopping: AbortSignal;
}

/** Follows `signal`, but for a client that leaves only after two seconds: most providers tell the usage of a reply at its end. */
function drainedSignal(signal: AbortSignal, { clock, clientGone, stopping }: Departure) {
  const controller = new AbortController();
  let cancel = (): void => undefined;
  const end = (): void => {
    cancel();
    signal.removeEventListener('abort', onAbort);
    stopping.removeEventListener('abort', abort);
  };
  const abort = (): void => {
    end();
    controller.abort();
  };
  function onAbort(): void {
    if (!clientGone.aborted || stopping.aborted) abort();
    else {
      cancel = clock.after(DRAIN_MS, abort);
      stopping.addEventListener('abort', abort);
    }
  }
  if (signal.aborted) abort();
  else signal.addEventListener('abort', onAbort);
  return { signal: controller.signal, abort, end };
}
