import type { AttemptBook, CallResult, GatewayCall, ModelGateway } from '../models/gateway';
import { estimatePromptTokens, estimateTokens, type ModelFaultKind } from '../models/model';
import { REPLY_TOKENS } from './grant-estimate';

/** The part of a grant that one run has set aside. */
export interface RunLease {
  readonly tokens: number;
  /** Asks for more; false when the grant does not hold that much. */
  extend(tokens: number): Promise<boolean>;
}

/** One platform call: what it was taken for at first, and what it has come to. */
interface Held {
  readonly promptTokens: number;
  readonly attempts: AttemptBook[];
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
  const calls: Held[] = [];
  let leased = lease.tokens;
  let extending: Promise<boolean> = Promise.resolve(true);

  return {
    call: async (call) => {
      if (call.model.provider === 'router') return gateway.call(call);
      const held: Held = { promptTokens: estimatePromptTokens(call.prompt), attempts: [], result: undefined };
      calls.push(held);
      if (!(await fits())) {
        calls.splice(calls.indexOf(held), 1);
        return USED_UP;
      }
      held.result = await gateway.call(noting(call, held));
      return held.result;
    },
  };

  /** One at a time: those who wait may find that the lease has become large enough for them too. */
  function fits(): Promise<boolean> {
    if (needed() <= leased) return Promise.resolve(true);
    extending = extending.then(extend, extend);
    return extending;
  }

  async function extend(): Promise<boolean> {
    const tokens = needed();
    if (tokens <= leased) return true;
    const granted = await lease.extend(tokens);
    if (granted) leased = tokens;
    return granted;
  }

  function needed(): number {
    return calls.reduce((sum, held) => sum + tokensOf(held), 0);
  }
}

function noting(call: GatewayCall, { attempts }: Held): GatewayCall {
  return {
    ...call,
    openAttempt: async (attempt) => {
      const book = await call.openAttempt(attempt);
      attempts.push(book);
      return book;
    },
  };
}

/** A call under way counts for at least its prompt and an ordinary reply; one refused before it said anything, for nothing. */
function tokensOf({ promptTokens, attempts, result }: Held): number {
  const unheard = result?.ok === false && !MAYBE_BILLED.has(result.fault) ? 0 : promptTokens;
  const consumed = attempts.reduce((sum, { meter: { usage, text } }) => {
    const heard = usage !== undefined || text !== '';
    const read = usage?.promptTokens ?? (heard ? promptTokens : unheard);
    return sum + read + (usage?.completionTokens ?? estimateTokens(text));
  }, 0);
  return result ? consumed : Math.max(consumed, promptTokens + REPLY_TOKENS);
}

/** Faults of a call that was cut off by us, and may have been billed although nothing had come back yet. */
const MAYBE_BILLED: ReadonlySet<ModelFaultKind> = new Set(['timeout', 'aborted']);
