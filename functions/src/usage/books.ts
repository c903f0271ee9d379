import type { ModelRow } from '../models/catalog';
import { type CallPurpose, estimateTokens, type ReportedUsage, type TokenUsage } from '../models/model';
import { priceCall } from '../models/prices';
import type { LedgerStore } from '../store/store';
import type { CallOutcome, CallRow } from './call-row';

/** A call that is about to be made, named before it starts so that a crash cannot lose it. */
export interface PlannedCall {
  readonly callId: string;
  readonly model: ModelRow;
  /** The seat that asks, e.g. `p2`, `arbiter`; sums per member are kept under it. */
  readonly seat: string;
  readonly purpose: CallPurpose;
  /** 1-based; 0 for the arbiter's calls. */
  readonly round: number;
  /** Our estimate of what the model will be shown. */
  readonly promptTokens: number;
}

/** What a running call has produced so far; the gateway fills it in, the books read it. */
export interface CallMeter {
  text: string;
  usage: ReportedUsage | undefined;
  /** How long `text` was when usage was last reported: what came after is not in the report. */
  reportedAt?: number;
}

/** Sums over calls. */
export interface SpendTotals {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedPromptTokens: number;
  readonly reasoningTokens: number;
  readonly costNanoUsd: number;
  readonly durationMs: number;
  readonly calls: number;
  /** Ids of the models that consumed something and have no known price: their calls are booked at cost 0. */
  readonly unpricedModels: readonly string[];
}

interface Entry {
  readonly plan: PlannedCall;
  /** Which prices count. */
  readonly pricedAtMs: number;
  readonly meter: CallMeter;
  row: CallRow;
  started: boolean;
  /** Known to the store in this form. */
  stored: boolean;
}

/**
 * The books of one request: every attempt at a model is listed before it starts (write-ahead), overwritten with
 * absolute values as more is known (checkpoint) and added to the month exactly once (settle).
 */
export class Books {
  readonly #entries = new Map<string, Entry>();
  readonly #store: LedgerStore;
  readonly #requestId: string;
  readonly #startedAtMs: number;

  /** Every call is priced as prices stand at `startedAtMs`, the request's start, which also decides its month. */
  constructor(store: LedgerStore, requestId: string, startedAtMs: number) {
    this.#store = store;
    this.#requestId = requestId;
    this.#startedAtMs = startedAtMs;
  }

  /** Lists calls that the reservation itself will carry; returns their rows for it. */
  reserve(plans: readonly PlannedCall[]): CallRow[] {
    return plans.map((plan) => {
      const entry = this.#add(plan);
      entry.stored = true;
      return entry.row;
    });
  }

  /** Makes sure all `plans` are in the store before any of them starts; writes nothing when they already are. */
  plan(plans: readonly PlannedCall[]): Promise<void> | undefined {
    const unknown = plans.filter((plan) => !this.#entries.has(plan.callId));
    if (unknown.length === 0) return undefined;
    for (const plan of unknown) this.#add(plan);
    return this.checkpoint();
  }

  /** The meter of a planned call that now starts. */
  meter(callId: string): CallMeter {
    const entry = this.#entry(callId);
    entry.started = true;
    return entry.meter;
  }

  /** Notes how a call ended; returns what it consumed. */
  close(callId: string, outcome: Exclude<CallOutcome, 'open'>, durationMs: number): CallRow {
    const entry = this.#entry(callId);
    entry.row = measured(entry, outcome, durationMs);
    entry.stored = false;
    return entry.row;
  }

  /** Notes that a call is not made after all and costs nothing; one that was never planned needs no note. */
  cancel(callId: string): void {
    const entry = this.#entries.get(callId);
    if (!entry) return;
    entry.row = neverMade(entry);
    entry.stored = false;
  }

  /** Writes every row that changed since the last write; running calls with what they produced so far. */
  async checkpoint(): Promise<void> {
    const changed: CallRow[] = [];
    for (const entry of this.#entries.values()) {
      if (entry.row.outcome === 'open' && entry.meter.text !== '') {
        entry.row = measured(entry, 'open', 0);
        entry.stored = false;
      }
      if (entry.stored) continue;
      changed.push(entry.row);
      entry.stored = true;
    }
    if (changed.length > 0) await this.#store.checkpoint(this.#requestId, changed);
  }

  /**
   * Adds the request to its month, once. Calls that never ended are closed as aborted with what they had produced,
   * calls that were planned and never made as costing nothing.
   */
  async settle(settledAtMs: number): Promise<void> {
    for (const entry of this.#entries.values()) {
      if (entry.row.outcome === 'open') entry.row = entry.started ? measured(entry, 'aborted', 0) : neverMade(entry);
    }
    const calls = [...this.#entries.values()].map((entry) => entry.row);
    await this.#store.settle({ requestId: this.#requestId, state: 'settled', calls, settledAtMs });
  }

  /** What was consumed so far, over all calls or only those of one seat. */
  totals(seat?: string): SpendTotals {
    const totals = { ...NOTHING };
    const unpriced = new Set<string>();
    for (const { plan, row } of this.#entries.values()) {
      if (seat !== undefined && plan.seat !== seat) continue;
      totals.promptTokens += row.promptTokens;
      totals.completionTokens += row.completionTokens;
      totals.cachedPromptTokens += row.cachedPromptTokens;
      totals.reasoningTokens += row.reasoningTokens;
      totals.costNanoUsd += row.costNanoUsd;
      totals.durationMs += row.durationMs;
      totals.calls += 1;
      if (!row.priced && row.promptTokens + row.completionTokens > 0) unpriced.add(row.modelId);
    }
    return { ...totals, unpricedModels: [...unpriced].sort() };
  }

  #add(plan: PlannedCall): Entry {
    const meter: CallMeter = { text: '', usage: undefined };
    const pricedAtMs = this.#startedAtMs;
    const entry: Entry = { plan, pricedAtMs, meter, row: openRow(plan, pricedAtMs), started: false, stored: false };
    this.#entries.set(plan.callId, entry);
    return entry;
  }

  #entry(callId: string): Entry {
    const entry = this.#entries.get(callId);
    if (!entry) throw new Error(`call ${callId} was never planned`);
    return entry;
  }
}

const NOTHING = {
  promptTokens: 0,
  completionTokens: 0,
  cachedPromptTokens: 0,
  reasoningTokens: 0,
  costNanoUsd: 0,
  durationMs: 0,
  calls: 0,
};

function openRow(plan: PlannedCall, pricedAtMs: number): CallRow {
  const { callId, model, purpose, round, promptTokens } = plan;
  const usage = { promptTokens, completionTokens: 0, cachedPromptTokens: 0, reasoningTokens: 0, estimated: true };
  const identity = { callId, modelId: model.id, modelName: model.name, purpose, round };
  const ownKey = model.provider === 'router' && { ownKey: true as const };
  return { ...identity, ...usage, ...priceCall(model, usage, pricedAtMs), ...ownKey, outcome: 'open', durationMs: 0 };
}

/** The row of a call from its meter: the provider's last report where there is one, else our estimate. */
function measured({ plan, pricedAtMs, meter, row }: Entry, outcome: CallOutcome, durationMs: number): CallRow {
  const usage = usageOf(meter, plan.promptTokens, outcome);
  return { ...row, ...usage, ...priceCall(plan.model, usage, pricedAtMs), outcome, durationMs };
}

function neverMade({ row }: Entry): CallRow {
  return { ...row, promptTokens: 0, costNanoUsd: 0, estimated: false, outcome: 'aborted' };
}

function usageOf(meter: CallMeter, promptTokens: number, outcome: CallOutcome): TokenUsage {
  const { usage, text } = meter;
  const details = {
    cachedPromptTokens: usage?.cachedPromptTokens ?? 0,
    ...(usage?.cacheWritePromptTokens && { cacheWritePromptTokens: usage.cacheWritePromptTokens }),
    reasoningTokens: usage?.reasoningTokens ?? 0,
  };
  const complete = outcome === 'ok' || text.length === (meter.reportedAt ?? 0);
  if (complete && usage?.promptTokens !== undefined && usage.completionTokens !== undefined) {
    return {
      promptTokens: usage.promptTokens,
      completionTokens: usage.completionTokens,
      ...details,
      estimated: false,
    };
  }
  // A call refused before it produced anything was not billed; one cut off in the middle was, up to what was seen.
  const refused = outcome === 'failed' && text === '' && usage === undefined;
  return {
    promptTokens: refused ? 0 : (usage?.promptTokens ?? promptTokens),
    completionTokens: refused ? 0 : Math.max(usage?.completionTokens ?? 0, estimateTokens(text)),
    ...details,
    estimated: !refused,
  };
}
