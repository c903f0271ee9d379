import type { ModelRow } from '../models/catalog';
import { type AttemptEntry, type CallMeter, newMeter } from '../models/gateway/gateway-call';
import type { CallPurpose, TokenUsage } from '../models/model';
import { priceCall } from '../models/prices';
import { type CallRow, outcomeOf } from './call-row';
import type { LedgerStore, RequestOutcome, SettledRequest } from './ledger-store';

/** A call that is about to be made, named before it starts so that a crash cannot lose it. */
export interface AnnouncedCall {
  readonly callId: string;
  readonly model: ModelRow;
  /** The seat that asks, e.g. `p2`, `arbiter`; sums per member are kept under it. */
  readonly seat: string;
  readonly purpose: CallPurpose;
  /** 1-based; 0 for the arbiter's calls. */
  readonly round: number;
  /** An estimate of what the model will be shown. */
  readonly promptTokens: number;
  /** It may search the web: budgets reckon with that, the ledger with what it then does. */
  readonly webSearch?: true;
}

export interface SpendTotals extends Omit<TokenUsage, 'cacheWritePromptTokens' | 'estimated'> {
  readonly costNanoUsd: number;
  readonly durationMs: number;
  /** Attempts at models; those that were announced and not made are none. */
  readonly calls: number;
  /** Ids of the models that consumed something and have no known price: their calls are listed at cost 0. */
  readonly unpricedModels: readonly string[];
}

interface Entry {
  readonly call: AnnouncedCall;
  readonly meter: CallMeter;
  row: CallRow;
  started: boolean;
  /** The row as the store has it; undefined where it has none. */
  stored: CallRow | undefined;
  /** Completion tokens that were counted at the last checkpoint. */
  counted: number;
}

/** The ledger of one request: attempts are listed before they start, overwritten as more is known, and settled once. */
export class RequestLedger {
  readonly #entries = new Map<string, Entry>();
  readonly #store: LedgerStore;
  readonly #request: SettledRequest;
  #writing: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  /** Every call is priced as prices stand at the request's start. */
  constructor(store: LedgerStore, request: SettledRequest) {
    this.#store = store;
    this.#request = request;
  }

  /** Lists calls that the reservation itself will carry; returns their rows for it. */
  reserve(calls: readonly AnnouncedCall[]): CallRow[] {
    return calls.map((call) => {
      const entry = this.#add(call);
      entry.stored = entry.row;
      return entry.row;
    });
  }

  /** Makes sure all `calls` are in the store before any of them starts; writes nothing when they already are. */
  announce(calls: readonly AnnouncedCall[]): Promise<void> | undefined {
    const unknown = calls.filter((call) => !this.#entries.get(call.callId)?.stored);
    if (unknown.length === 0) return undefined;
    for (const call of unknown) if (!this.#entries.has(call.callId)) this.#add(call);
    return this.checkpoint();
  }

  /** The entry of an attempt, which now starts: at once where it was announced, else as soon as the store has it. */
  openAttempt(call: AnnouncedCall, attempt: number): AttemptEntry | Promise<AttemptEntry> {
    const callId = attemptId(call.callId, attempt);
    const announced = this.announce([{ ...call, callId }]);
    return announced ? announced.then(() => this.#start(callId)) : this.#start(callId);
  }

  /** Notes that a call is not made after all and costs nothing; one that was never announced needs no note. */
  cancel(callId: string): void {
    const entry = this.#entries.get(callId);
    if (entry) entry.row = neverMade(entry);
  }

  /**
   * Writes every row that changed since the last write; rows of a write that fails are written the next time. One write
   * follows another, or an older row could land on a newer one: what comes while one is under way goes along in the next.
   */
  checkpoint(): Promise<void> {
    if (!this.#writing && !this.#next) return this.#write();
    this.#next ??= (this.#writing ?? Promise.resolve()).then(() => {
      this.#next = undefined;
      return this.#write();
    });
    return this.#next;
  }

  #write(): Promise<void> {
    const written = this.#writeChanged();
    const done = (): void => {
      this.#writing = undefined;
    };
    this.#writing = written.then(done, done);
    return written;
  }

  async #writeChanged(): Promise<void> {
    const entries = [...this.#entries.values()];
    for (const entry of entries) if (entry.started && entry.row.outcome === 'open') this.#measureOpen(entry);
    const changed = entries.filter(({ row, stored }) => row !== stored).map((entry) => ({ entry, row: entry.row }));
    if (changed.length === 0) return;
    const rows = changed.map(({ row }) => row);
    await this.#store.checkpoint(this.#request.requestId, rows);
    for (const { entry, row } of changed) entry.stored = row;
  }

  /** Adds the request to its month, once; open calls as aborted, those never made as costing nothing. */
  async settle(settledAtMs: number, outcome: RequestOutcome): Promise<void> {
    const entries = [...this.#entries.values()];
    for (const entry of entries) {
      if (entry.row.outcome !== 'open') continue;
      entry.row = entry.started ? this.#measure(entry, 'aborted') : neverMade(entry);
    }
    const calls = entries.map(({ row }) => row);
    await this.#store.settle({ request: this.#request, state: 'settled', outcome, calls, settledAtMs });
  }

  rowOf(callId: string, attempt: number): CallRow | undefined {
    return this.#entries.get(attemptId(callId, attempt))?.row;
  }

  /** Cost of all attempts that are over, nano-USD. */
  endedNanoUsd(): number {
    const ended = [...this.#entries.values()].filter(({ row }) => row.outcome !== 'open');
    return ended.reduce((sum, { row }) => sum + row.costNanoUsd, 0);
  }

  /** Consumption so far, over all calls or only those of one seat. */
  totals(seat?: string): SpendTotals {
    const entries = [...this.#entries.values()].filter(({ call }) => seat === undefined || call.seat === seat);
    const rows = entries.map(({ row }) => row);
    const sum = (of: (row: CallRow) => number): number => rows.reduce((total, row) => total + of(row), 0);
    const webSearches = sum((row) => row.webSearches ?? 0);
    const unpriced = rows.filter((row) => !row.priced && row.promptTokens + row.completionTokens > 0);
    return {
      promptTokens: sum((row) => row.promptTokens),
      completionTokens: sum((row) => row.completionTokens),
      cachedPromptTokens: sum((row) => row.cachedPromptTokens),
      reasoningTokens: sum((row) => row.reasoningTokens),
      ...(webSearches > 0 && { webSearches }),
      costNanoUsd: sum((row) => row.costNanoUsd),
      durationMs: sum((row) => row.durationMs),
      calls: entries.filter(({ started }) => started).length,
      unpricedModels: [...new Set(unpriced.map(({ modelId }) => modelId))].sort(),
    };
  }

  #add(call: AnnouncedCall): Entry {
    const announced = { call, meter: newMeter(), started: false, stored: undefined, counted: 0 };
    const entry: Entry = { ...announced, row: this.#measure(announced, 'open') };
    this.#entries.set(call.callId, entry);
    return entry;
  }

  /** Adds half of what came since the last checkpoint, or all of a beginning: a crash comes halfway to the next one. */
  #measureOpen(entry: Entry): void {
    const { counted: before, row } = entry;
    const usage = usageOf(entry.meter, entry.call.promptTokens, 'open');
    entry.counted = usage.completionTokens;
    const gained = Math.max(0, usage.completionTokens - before);
    const completionTokens = usage.completionTokens + Math.round(before === 0 ? gained : gained / 2);
    const isSame = usage.promptTokens === row.promptTokens && usage.webSearches === row.webSearches;
    if (isSame && completionTokens === row.completionTokens) return;
    entry.row = this.#rowOf(entry.call, { ...usage, completionTokens, estimated: true }, 'open');
  }

  #start(callId: string): AttemptEntry {
    const entry = this.#entries.get(callId);
    if (!entry) throw new Error(`call ${callId} was never announced`);
    entry.started = true;
    return {
      meter: entry.meter,
      close: (fault, durationMs) => {
        entry.row = { ...this.#measure(entry, outcomeOf(fault)), durationMs };
        return entry.row.priced ? entry.row.costNanoUsd : undefined;
      },
      cancel: () => {
        entry.started = false;
        entry.row = neverMade(entry);
      },
    };
  }

  #measure({ call, meter }: Pick<Entry, 'call' | 'meter'>, outcome: CallRow['outcome']): CallRow {
    return this.#rowOf(call, usageOf(meter, call.promptTokens, outcome), outcome);
  }

  #rowOf({ callId, model, purpose, round }: AnnouncedCall, usage: TokenUsage, outcome: CallRow['outcome']): CallRow {
    return {
      callId,
      modelId: model.id,
      modelName: model.name,
      purpose,
      round,
      ...usage,
      ...priceCall(model, usage, this.#request.startedAtMs),
      ...(model.provider === 'router' && { ownKey: true as const }),
      outcome,
      durationMs: 0,
    };
  }
}

function attemptId(callId: string, attempt: number): string {
  return attempt === 1 ? callId : `${callId}#${attempt}`;
}

function neverMade({ row }: Entry): CallRow {
  return { ...row, promptTokens: 0, costNanoUsd: 0, estimated: false, outcome: 'aborted' };
}

/** The provider's last report where it covers all that came, else our estimate. */
function usageOf(meter: CallMeter, announcedTokens: number, outcome: CallRow['outcome']): TokenUsage {
  const { usage, tokens, reportedAt = 0, webSearches } = meter;
  const { promptTokens, completionTokens } = usage ?? {};
  const { cachedPromptTokens = 0, cacheWritePromptTokens, reasoningTokens = 0 } = usage ?? {};
  const details = {
    cachedPromptTokens,
    ...(cacheWritePromptTokens && { cacheWritePromptTokens }),
    reasoningTokens,
    ...(webSearches && { webSearches }),
  };
  const complete = outcome === 'ok' || tokens === reportedAt;
  if (complete && promptTokens !== undefined && completionTokens !== undefined) {
    return { promptTokens, completionTokens, ...details, estimated: false };
  }
  // A call refused before it produced anything was not billed; one cut off in the middle was, up to what was seen.
  const refused = outcome === 'failed' && tokens === 0 && usage === undefined;
  return {
    promptTokens: refused ? 0 : (promptTokens ?? announcedTokens),
    completionTokens: refused ? 0 : Math.max(completionTokens ?? 0, Math.ceil(tokens)),
    ...details,
    estimated: !refused,
  };
}
