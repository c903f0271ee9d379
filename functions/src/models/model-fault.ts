import type { FinishReason, RequestPart } from './model';

/** Cause of a failed call. `unavailable`: not asked, as its calls keep failing; `wrong_address`: no provider’s API. */
export type ModelFaultKind =
  | 'rate_limited'
  | 'overloaded'
  | 'timeout'
  | 'unauthorized'
  | 'out_of_credit'
  | 'unsupported_region'
  | 'wrong_address'
  | 'not_configured'
  | 'not_found'
  | 'bad_request'
  | 'context_length'
  | 'network'
  | 'server'
  | 'protocol'
  | 'content_filter'
  | 'empty'
  | 'output_too_long'
  | 'output_limit_used_up'
  | 'unavailable'
  | 'token_grant_used_up'
  | 'aborted';

/** A failed model call. Its message is for logs; only `kind` may reach a client. */
export class ModelFault extends Error {
  override readonly name = 'ModelFault';
  readonly kind: ModelFaultKind;
  /** Wait that the provider asked for, when it said so. */
  readonly retryAfterSeconds: number | undefined;
  /** Parts of the request that the provider refused by name. */
  readonly refuses: readonly RequestPart[];

  constructor(kind: ModelFaultKind, options: ModelFaultOptions = {}) {
    super(`model call failed: ${kind}${options.address === undefined ? '' : ` (${options.address})`}`, options);
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.refuses = options.refuses ?? [];
  }
}

/** Facts about a failed call. */
export interface ModelFaultOptions {
  readonly retryAfterSeconds?: number | undefined;
  readonly refuses?: readonly RequestPart[];
  /** Address that was asked, for the log. */
  readonly address?: string;
  readonly cause?: unknown;
}

/** A failure as people read it: `rate_limited` → `rate limited`, with the limit where that was the cause and is known. */
export function faultWords({ fault, outputTokens }: { fault: ModelFaultKind; outputTokens?: number }): string {
  if (fault === 'output_limit_used_up' && outputTokens !== undefined) {
    return `output limit of ${outputTokens} tokens used up`;
  }
  return fault.replaceAll('_', ' ');
}

const CUT_WORDS: Readonly<Record<Exclude<FinishReason, 'stop'>, string>> = {
  length: 'reached its length limit',
  context_window: 'filled its context window',
  content_filter: 'was stopped by a content filter',
  failed: 'was broken off by its provider',
  unknown: 'gave no known reason for its end',
};

/** Note on a text that is not known to be whole: `Ada reached its length limit: the answer is cut off`. Undefined for a whole one. */
export function cutNote(label: string, text: string, reason: FinishReason): string | undefined {
  if (reason === 'stop') return undefined;
  return `${label} ${CUT_WORDS[reason]}: ${text} ${reason === 'unknown' ? 'may be' : 'is'} cut off`;
}
