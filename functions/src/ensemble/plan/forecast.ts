import { estimateTokens } from '../../models/estimate-tokens';
import { priceCall } from '../../models/prices';
import { SEARCHES, withSearches } from '../../models/web-search';
import type { EnsembleRequest } from '../run';
import { maySearch, type PlannedCall } from './planned-wave';
import type { Range } from './projection';
import { replyTokens, textTokens } from './reply-length';
import { shownTokensOf } from './shown-tokens';

/** What calls are likely to consume: nine of ten runs lie between low and high. */
export interface Forecast {
  readonly promptTokens: Range;
  readonly completionTokens: Range;
  readonly costNanoUsd: Range;
}

/** A sum of which one part is certain and the other depends on the lengths of replies. */
interface Uncertain {
  readonly fixed: number;
  /** The mean of the other part. */
  readonly mean: number;
  /** The squares of its members' means, added up: the fewer and the less equal they are, the wider it spreads. */
  readonly squares: number;
}

type Quantity = keyof Forecast;
type Outlook = Readonly<Record<Quantity, Uncertain>>;

/** Our own words in a usual prompt. */
const WORDS_TOKENS = 200;

/**
 * How replies spread, found by fitting to played runs: each by itself, and all of a run together, as an easy question
 * gets short texts from everybody. Variances of the relative length.
 */
const OWN_VARIANCE = 0.7;
const COMMON_VARIANCE = 0.5;
/** How many deviations from the middle of a logarithmic normal distribution the ends lie. */
const DEVIATIONS = { low: 1.75, high: 1.85 };

/** Forecasts the calls of one request: the low end from those that every run makes, the high end from all of them. */
export function forecastOf(
  request: EnsembleRequest,
  atMs: number,
): (least: readonly PlannedCall[], all: readonly PlannedCall[]) => Forecast {
  const outlookOf = callOutlook(request, atMs);
  return (least, all) => {
    const [shortest, longest] = [least, all].map((calls) => calls.map(outlookOf));
    const range = (of: Quantity): Range => ({
      low: Math.round(endOf(sumOf(shortest ?? [], of), -DEVIATIONS.low)),
      high: Math.round(endOf(sumOf(longest ?? [], of), DEVIATIONS.high)),
    });
    return {
      promptTokens: range('promptTokens'),
      completionTokens: range('completionTokens'),
      costNanoUsd: range('costNanoUsd'),
    };
  };
}

/** What these calls usually cost, nano-USD: the mean. */
export function usualCostOf(request: EnsembleRequest, atMs: number): (calls: readonly PlannedCall[]) => number {
  const outlookOf = callOutlook(request, atMs);
  return (calls) => {
    const { fixed, mean } = sumOf(calls.map(outlookOf), 'costNanoUsd');
    return fixed + mean;
  };
}

function callOutlook(request: EnsembleRequest, atMs: number): (call: PlannedCall) => Outlook {
  const messageTokens = estimateTokens(request.message);
  const shownTokens = shownTokensOf(request);
  const text = textTokens(messageTokens);
  return (call) => {
    const { seat, purpose, reads } = call;
    const { conversation, instructions } = shownTokens(call);
    const costOf = (promptTokens: number, completionTokens: number, webSearches = 0): number =>
      priceCall(seat.model, { promptTokens, completionTokens, webSearches }, atMs).costNanoUsd;
    const fixed = conversation + instructions + WORDS_TOKENS;
    const searches = maySearch(call) ? SEARCHES.mean : 0;
    const read = withSearches(Math.round(reads * text.mean), searches).promptTokens;
    const written = Math.round(replyTokens(seat, purpose, messageTokens).mean);
    const fixedNanoUsd = costOf(fixed, 0);
    return {
      promptTokens: uncertain(fixed, read),
      completionTokens: uncertain(0, written),
      costNanoUsd: uncertain(fixedNanoUsd, costOf(fixed + read, written, searches) - fixedNanoUsd),
    };
  };
}

function uncertain(fixed: number, mean: number): Uncertain {
  return { fixed, mean, squares: mean ** 2 };
}

function sumOf(outlooks: readonly Outlook[], of: Quantity): Uncertain {
  return outlooks
    .map((outlook) => outlook[of])
    .reduce(
      (sum, { fixed, mean, squares }) => ({
        fixed: sum.fixed + fixed,
        mean: sum.mean + mean,
        squares: sum.squares + squares,
      }),
      uncertain(0, 0),
    );
}

/** So many deviations from the middle: sums of texts spread as texts do, on a logarithmic scale, only less. */
function endOf({ fixed, mean, squares }: Uncertain, deviations: number): number {
  if (mean === 0) return fixed;
  const variance = Math.log(1 + COMMON_VARIANCE + (OWN_VARIANCE * squares) / mean ** 2);
  return fixed + mean * Math.exp(deviations * Math.sqrt(variance) - variance / 2);
}
