import type { AttemptEntry, CallResult, ModelGateway } from '../models/gateway/gateway-call';
import { estimatedTokens, estimatePromptTokens } from '../models/model';
import { outcomeOf } from '../usage/call-row';
import { REPLY_TOKENS } from '../usage/estimate-cost';

/** The part of a grant that one run has set aside. */
export interface RunLease {
  readonly tokens: number;
  /** Asks for more; false when the grant does not hold that much. */
  extend(tokens: number): Promise<boolean>;
}

/** One platform call: what it was taken for at first, and what it has come to. */
interface PlatformCall {
  readonly promptTokens: number;
  readonly attempts: AttemptEntry[];
  /** Undefined while it is under way. */
  result: CallResult | undefined;
}

const USED_UP: CallResult = { ok: false, fault: 'token_grant_used_up', cause: undefined, streamed: false };

/**
 * A gateway that lets a run's platform calls begin only within its lease. Where they have come to more than was
 * estimated the lease is extended; where the grant holds no more, the call fails like any model's. So a grant is never
 * exceeded by more than what the calls under way bring beyond an ordinary reply. Router calls pass.
 */
export function grantedGateway(gateway: ModelGateway, lease: RunLease): ModelGateway {
  const calls = new Set<PlatformCall>();
  let leased = lease.tokens;
  let extending: Promise<boolean> = Promise.resolve(true);

  return {
    call: async (call) => {
      if (call.model.provider === 'router') return gateway.call(call);
      const promptTokens = estimatePromptTokens(call.prompt);
      const counted: PlatformCall = { promptTokens, attempts: [], result: undefined };
      calls.add(counted);
      if (!(await fits())) {
        calls.delete(counted);
        return USED_UP;
      }
      const openAttempt = async (attempt: number): Promise<AttemptEntry> => {
        const entry = await call.openAttempt(attempt);
        counted.attempts.push(entry);
        return entry;
      };
      counted.result = await gateway.call({ ...call, openAttempt });
      return counted.result;
    },
  };

  /** One at a time: the lease may have become large enough for those that wait, too. */
  function fits(): Promise<boolean> {
    if (neededTokens() <= leased) return Promise.resolve(true);
    extending = extending.then(extend, extend);
    return extending;
  }

  async function extend(): Promise<boolean> {
    const tokens = neededTokens();
    if (tokens <= leased) return true;
    const granted = await lease.extend(tokens);
    if (granted) leased = tokens;
    return granted;
  }

  function neededTokens(): number {
    return [...calls].reduce((sum, call) => sum + tokensOf(call), 0);
  }
}

/** A call under way counts for at least its prompt and an ordinary reply; one refused before any output, for nothing. */
function tokensOf({ promptTokens, attempts, result }: PlatformCall): number {
  const refused = result?.ok === false && outcomeOf(result.fault) === 'failed';
  const consumed = attempts.reduce((sum, { meter: { usage, characters } }) => {
    const silent = usage === undefined && characters === 0;
    const read = usage?.promptTokens ?? (refused && silent ? 0 : promptTokens);
    return sum + read + (usage?.completionTokens ?? estimatedTokens(characters));
  }, 0);
  return result ? consumed : Math.max(consumed, promptTokens + REPLY_TOKENS);
}
