import type { CallRow } from '../../src/ledger/call-row';
import type { LedgerRecord } from '../../src/ledger/ledger-store';
import { estimateTokens, tokensIn } from '../../src/models/estimate-tokens';
import type { CallPurpose } from '../../src/models/model';
import type { Bill, UpstreamCall } from './faulty-models';

/** Charge of one call. */
export interface Charge extends Bill {
  readonly purpose: CallPurpose;
  readonly modelId: string;
  readonly costNanoUsd: number;
  readonly estimated: boolean;
}

/** Sums over charges, and how many there are. */
export interface Total extends Bill {
  readonly costNanoUsd: number;
  readonly calls: number;
}

/** Nano-USD a token, by model, from the providers' own price pages; a model that is not here has no price. */
const PRICES: Readonly<Record<string, { prompt: number; cached: number; completion: number }>> = {
  'gpt-4o': { prompt: 2_500, cached: 1_250, completion: 10_000 },
  'gpt-4o-mini': { prompt: 150, cached: 75, completion: 600 },
  'gpt-4.1': { prompt: 2_000, cached: 500, completion: 8_000 },
  'claude-haiku-4-5': { prompt: 1_000, cached: 100, completion: 5_000 },
  'gemini-2.5-flash': { prompt: 300, cached: 30, completion: 2_500 },
};
const DEMO_PRICE = { prompt: 100, cached: 100, completion: 400 };
const NO_PRICE = { prompt: 0, cached: 0, completion: 0 };

/** Models of every provider, each with a price of its own, and then some without. */
export function pricedId(seat: number | 'arbiter'): string {
  if (seat === 'arbiter') return 'gpt-4o';
  return ['gpt-4o-mini', 'claude-haiku-4-5', 'gemini-2.5-flash', 'demo-ada', 'gpt-4.1'][seat - 1] ?? `local-${seat}`;
}

/**
 * Charges that these calls must have, those of nothing left out. The figures that the upstream reported last, where
 * that covers all it sent; else what it sent, as estimated, and no less than it reported. Nothing for
 * a call that was refused.
 */
export function chargesOf(calls: readonly UpstreamCall[]): Charge[] {
  return calls.map((call) => ({ purpose: call.purpose, ...chargeOf(call) })).filter(comesToSomething);
}

/** Charges of a ledger record. */
export function recordedCharges({ calls }: Pick<LedgerRecord, 'calls'>): Charge[] {
  return calls.filter(comesToSomething).map(recorded);
}

/** In an order of their own, to be compared. */
export function sorted(charges: readonly Charge[]): Charge[] {
  const key = ({ purpose, modelId, promptTokens, completionTokens, estimated }: Charge): string =>
    [purpose, modelId, promptTokens, completionTokens, estimated].join();
  return [...charges].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

export function totalOf(charges: readonly Charge[]): Total {
  const total = { ...NOTHING, costNanoUsd: 0, calls: charges.length };
  for (const charge of charges) {
    total.promptTokens += charge.promptTokens;
    total.completionTokens += charge.completionTokens;
    total.cachedPromptTokens += charge.cachedPromptTokens;
    total.reasoningTokens += charge.reasoningTokens;
    total.costNanoUsd += charge.costNanoUsd;
  }
  return total;
}

const NOTHING: Bill = { promptTokens: 0, completionTokens: 0, cachedPromptTokens: 0, reasoningTokens: 0 };

type PricedBill = Omit<Charge, 'purpose'>;

function chargeOf(played: UpstreamCall): PricedBill {
  const { model: modelId, bill, billIsFinal } = played;
  if (bill && billIsFinal) return priced(modelId, bill, false);
  if (wasRefused(played)) return priced(modelId, NOTHING, false);
  const estimate = {
    ...NOTHING,
    ...bill,
    promptTokens: bill?.promptTokens ?? promptEstimate(played),
    completionTokens: Math.max(bill?.completionTokens ?? 0, estimateTokens(played.text)),
  };
  return priced(modelId, estimate, true);
}

/** It ended by itself, with nothing sent and nothing reported, and not because it took too long. */
function wasRefused({ text, bill, call, fault }: UpstreamCall): boolean {
  return text === '' && !bill && !call.signal.aborted && fault !== 'timeout' && fault !== 'aborted';
}

/** Its texts and the schema beside them, and four tokens a message. */
function promptEstimate({ call: { prompt, outputSchema } }: UpstreamCall): number {
  const schema = outputSchema?.schema ? JSON.stringify(outputSchema.schema) : '';
  const texts = [prompt.system ?? '', schema, ...prompt.turns.map(({ text }) => text)];
  return Math.ceil(texts.reduce((sum, text) => sum + tokensIn(text), 4 * prompt.turns.length));
}

function priced(modelId: string, bill: Bill, estimated: boolean): PricedBill {
  const price = modelId.startsWith('demo-') ? DEMO_PRICE : (PRICES[modelId] ?? NO_PRICE);
  const fresh = bill.promptTokens - bill.cachedPromptTokens;
  const costNanoUsd =
    fresh * price.prompt + bill.cachedPromptTokens * price.cached + bill.completionTokens * price.completion;
  return { modelId, ...bill, costNanoUsd, estimated };
}

function comesToSomething({ promptTokens, completionTokens }: Bill | CallRow): boolean {
  return promptTokens + completionTokens > 0;
}

function recorded(row: CallRow): Charge {
  const { purpose, modelId, costNanoUsd, estimated } = row;
  const { promptTokens, completionTokens, cachedPromptTokens, reasoningTokens } = row;
  const counts = { promptTokens, completionTokens, cachedPromptTokens, reasoningTokens };
  return { purpose, modelId, ...counts, costNanoUsd, estimated };
}
