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

/** An attempt that has started. */
interface OpenAttempt {
  readonly attempt: number;
  spoke: boolean;
  /** Set once it is over. */
  ended?: { readonly durationMs: number; readonly fault?: ModelFaultKind; readonly text?: string };
}

interface OpenCall extends Pick<CallQueued, 'call' | 'seat' | 'round'> {
  attempts: number;
  last?: OpenAttempt | undefined;
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

  /** A step begins, unless it has before: its calls are told one by one. */
  step(step: Omit<RoundBegan, 'type'>): void {
    const key = `${step.round} ${step.purpose}`;
    if (this.#steps.has(key)) return;
    this.#steps.add(key);
    this.tell({ type: 'round', ...step });
  }

  /** True until the call has ended. */
  isOpen(call: string): boolean {
    return this.#open.has(call);
  }

  /** A question is to be put. */
  queued(call: Omit<CallQueued, 'type' | 'state'>): void {
    this.#open.set(call.call, { call: call.call, seat: call.seat, round: call.round, attempts: 0 });
    this.tell({ type: 'call', state: 'queued', ...call });
  }

  /** Hears the attempts at a call that is open. */
  hearing(call: string): CallHearing {
    const open = this.#open.get(call) ?? { call, seat: '', round: 0, attempts: 0 };
    return {
      started: (attempt) => {
        open.attempts += 1;
        open.last = { attempt, spoke: false };
        this.tell({ type: 'call', state: 'started', call, attempt });
      },
      text: (text) => this.#wrote(open, text),
      ended: (result, durationMs) => {
        if (open.last)
          open.last.ended = { durationMs, ...(result.ok ? { text: result.text } : { fault: result.fault }) };
      },
      again: () => {
        const over = endOf(open.last);
        if (over.attempt !== undefined) this.#tellEnd(open, { state: 'retry', ...over });
        open.last = undefined;
      },
    };
  }

  /** The call is over: this came of it, and nothing else will. */
  ended(call: string, result: CallResult, reason?: string): void {
    const open = this.#open.get(call);
    if (!open) return;
    this.#open.delete(call);
    const over = endOf(open.last);
    if (result.ok) {
      this.#answered.set(open.seat, open);
      const text = open.last?.ended?.text === result.text ? {} : { text: result.text };
      const { finishReason, sources } = result;
      this.#tellEnd(open, { state: 'done', ...over, finishReason, ...text, ...(sources && { sources }) });
      return;
    }
    const { fault } = result;
    const state = open.attempts === 0 ? 'spared' : outcomeOf(fault) === 'aborted' ? 'cut' : 'failed';
    this.#tellEnd(open, { ...over, state, fault, reason: reason ?? faultWords(result) });
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

  /** A question is put once more, shorter: a call of its own. */
  shortened(asked: string, shorter: string): void {
    this.#shorter.set(asked, shorter);
  }

  /** The last event, once the ledger is settled: calls that are still open end before it. */
  end({ outcome, message }: Pick<RunEnded, 'outcome' | 'message'>, totals: SpendTotals): void {
    for (const open of this.#open.values()) {
      const state = open.attempts === 0 ? 'spared' : 'cut';
      this.#tellEnd(open, { state, ...endOf(open.last), reason: RUN_OVER });
    }
    const { promptTokens, completionTokens, costNanoUsd, calls, unpricedModels } = totals;
    const sums = { promptTokens, completionTokens, costNanoUsd, calls, unpricedModels };
    this.tell({ type: 'end', outcome, ...(message !== undefined && { message }), ...sums });
    this.#ended = true;
  }

  #wrote({ call, last }: OpenCall, text: string): Promise<void> | undefined {
    if (!last || text === '') return undefined;
    const { attempt } = last;
    if (!last.spoke) this.tell({ type: 'call', state: 'first', call, attempt });
    last.spoke = true;
    this.tell({ type: 'text', call, attempt, text });
    return this.#parts.caughtUp?.();
  }

  #tellEnd({ call }: OpenCall, end: Omit<CallEnded, 'type' | 'call' | 'spend'>): void {
    const row = end.attempt === undefined ? undefined : this.#parts.ledger.rowOf(call, end.attempt);
    this.tell({ type: 'call', call, ...end, ...(row && { spend: spendOf(row) }) });
  }
}

/** Known facts of the end of an attempt, if one has started. */
function endOf(last: OpenAttempt | undefined): Pick<CallEnded, 'attempt' | 'fault' | 'reason' | 'durationMs'> {
  if (!last) return {};
  const { attempt, ended: { durationMs, fault } = {} } = last;
  return {
    attempt,
    ...(fault && { fault, reason: faultWords({ fault }) }),
    ...(durationMs !== undefined && { durationMs }),
  };
}

function spendOf(row: CallRow): AttemptSpend {
  const { promptTokens, completionTokens, cachedPromptTokens, reasoningTokens, webSearches } = row;
  const { estimated, costNanoUsd, priced } = row;
  const tokens = { promptTokens, completionTokens, cachedPromptTokens, reasoningTokens };
  return { ...tokens, ...(webSearches && { webSearches }), estimated, costNanoUsd, priced };
}
