import { type CallRow, outcomeOf } from '../ledger/call-row';
import type { RequestLedger, SpendTotals } from '../ledger/request-ledger';
import type { CallHearing, CallResult } from '../models/gateway/gateway-call';
import { faultWords, type ModelFaultKind } from '../models/model-fault';
import type {
  AttemptSpend,
  CallEnded,
  CallQueued,
  Observe,
  RoundBegan,
  RunEnded,
  StandingText,
  TraceEvent,
} from './trace-event';

/** Parts of a run's observer. */
interface ObserverParts {
  readonly observe: Observe;
  readonly ledger: Pick<RequestLedger, 'rowOf'>;
  /** A promise while the reader of the trace is slow. */
  readonly caughtUp?: (() => Promise<void> | undefined) | undefined;
}

/** A call that is not over, with its last attempt. */
interface OpenCall extends Pick<CallQueued, 'call' | 'seat' | 'round'> {
  wasMade: boolean;
  attempt?: number | undefined;
  spoke?: boolean;
  /** Set once that attempt is over. */
  ended?: { readonly durationMs: number; readonly fault?: ModelFaultKind; readonly text?: string } | undefined;
}

/** Why calls end that nothing was wrong with. */
const RUN_OVER = 'the run was over';

/** Reports what happens in a run; every queued call has one ending, with the figures of the ledger. */
export class RunObserver {
  readonly #parts: ObserverParts;
  readonly #open = new Map<string, OpenCall>();
  /** The last call of each seat that was answered. */
  readonly #answered = new Map<string, Pick<CallQueued, 'call' | 'round'>>();
  /** Calls whose questions were too long, and those that were made instead. */
  readonly #shorter = new Map<string, string>();
  readonly #steps = new Set<string>();
  #ended = false;

  constructor(parts: ObserverParts) {
    this.#parts = parts;
  }

  /** Tells anything that is of no call. */
  tell(event: TraceEvent): void {
    if (!this.#ended) this.#parts.observe(event);
  }

  /** A question is to be put, unless it was queued before; `instead` of one that was too long. A step begins with its first. */
  queued(
    call: Omit<CallQueued, 'type' | 'state'>,
    { of, label }: Pick<RoundBegan, 'of' | 'label'>,
    instead?: string,
  ): void {
    const { call: id, seat, round, purpose } = call;
    if (this.#open.has(id)) return;
    const step = `${round} ${purpose}`;
    if (!this.#steps.has(step)) this.tell({ type: 'round', round, of, purpose, label });
    this.#steps.add(step);
    if (instead !== undefined) this.#shorter.set(instead, id);
    this.#open.set(id, { call: id, seat, round, wasMade: false });
    this.tell({ type: 'call', state: 'queued', ...call });
  }

  /** Hears the attempts at a call that is open. */
  hearing(call: string): CallHearing {
    const open = this.#open.get(call) ?? { call, seat: '', round: 0, wasMade: false };
    return {
      started: (attempt) => {
        Object.assign(open, { wasMade: true, attempt, spoke: false, ended: undefined });
        this.tell({ type: 'call', state: 'started', call, attempt });
      },
      text: (text) => this.#wrote(open, text),
      ended: (result, durationMs) => {
        open.ended = { durationMs, ...(result.ok ? { text: result.text } : { fault: result.fault }) };
      },
      again: () => {
        if (open.attempt !== undefined) this.#tellEnd(open, { state: 'retry' });
        Object.assign(open, { attempt: undefined, ended: undefined });
      },
    };
  }

  /** The call is over: this came of it, and nothing else will. */
  ended(call: string, result: CallResult, reason?: string): void {
    const open = this.#open.get(call);
    if (!open) return;
    this.#open.delete(call);
    if (result.ok) {
      this.#answered.set(open.seat, open);
      const { finishReason, sources } = result;
      const text = open.ended?.text === result.text ? undefined : result.text;
      this.#tellEnd(open, { state: 'done', finishReason, text, sources });
      return;
    }
    const { fault } = result;
    const state = outcomeOf(fault) === 'aborted' ? 'cut' : 'failed';
    this.#tellEnd(open, { state: open.wasMade ? state : 'spared', fault, reason: reason ?? faultWords(result) });
  }

  /** The call is not made. */
  spared(call: string, reason: string): void {
    if (this.#open.delete(call)) this.tell({ type: 'call', state: 'spared', call, reason });
  }

  /** The seat stands for this text, which comes from its last answer. */
  standing(seat: string, text: Pick<StandingText, 'text' | 'part' | 'kept'>): void {
    const from = this.#answered.get(seat);
    if (from) this.tell({ type: 'standing', seat, call: from.call, round: from.round, ...text });
  }

  /** The reply to a question puts the texts it shows in this order, best first. */
  ranked(asked: string, order: readonly string[]): void {
    this.tell({ type: 'ranking', call: this.#shorter.get(asked) ?? asked, order });
  }

  /** The last event, once the ledger is settled: calls that are still open end before it. */
  end({ outcome, message }: Pick<RunEnded, 'outcome' | 'message'>, totals: SpendTotals): void {
    for (const open of this.#open.values()) {
      this.#tellEnd(open, { state: open.wasMade ? 'cut' : 'spared', reason: RUN_OVER });
    }
    const { promptTokens, completionTokens, costNanoUsd, calls, unpricedModels } = totals;
    const sums = { promptTokens, completionTokens, costNanoUsd, calls, unpricedModels };
    this.tell({ type: 'end', outcome, message, ...sums });
    this.#ended = true;
  }

  #wrote(open: OpenCall, text: string): Promise<void> | undefined {
    const { call, attempt } = open;
    if (attempt === undefined || text === '') return undefined;
    if (!open.spoke) this.tell({ type: 'call', state: 'first', call, attempt });
    open.spoke = true;
    this.tell({ type: 'text', call, attempt, text });
    return this.#parts.caughtUp?.();
  }

  /** Tells an end with what is known of the attempt, if one has started. */
  #tellEnd(open: OpenCall, { state, ...end }: Omit<CallEnded, 'type' | 'call' | 'spend'>): void {
    const { call, attempt, ended: { durationMs, fault } = {} } = open;
    const row = attempt === undefined ? undefined : this.#parts.ledger.rowOf(call, attempt);
    const known = { attempt, fault, reason: fault && faultWords({ fault }), durationMs };
    this.tell({ type: 'call', call, state, ...known, ...end, spend: row && spendOf(row) });
  }
}

function spendOf(row: CallRow): AttemptSpend {
  const { promptTokens, completionTokens, cachedPromptTokens, reasoningTokens, webSearches } = row;
  const { estimated, costNanoUsd, priced } = row;
  const tokens = { promptTokens, completionTokens, cachedPromptTokens, reasoningTokens };
  return { ...tokens, webSearches: webSearches || undefined, estimated, costNanoUsd, priced };
}
