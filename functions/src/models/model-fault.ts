import type { FinishReason, RequestPart } from './model';

/**
 * Causes of failed calls, and their remedies: the same again, what was refused left out, a shorter prompt, another question or
 * model, none. `unavailable`: not asked, as its calls keep failing; `wrong_address`: what answers is no provider's API.
 */
export const REMEDIES = {
  rate_limited: 'same',
  overloaded: 'same',
  timeout: 'same',
  network: 'same',
  server: 'same',
  protocol: 'same',
  empty: 'same',
  bad_request: 'plain',
  context_length: 'shorter',
  unauthorized: 'none',
  out_of_credit: 'none',
  unsupported_region: 'none',
  wrong_address: 'none',
  not_configured: 'other',
  not_found: 'other',
  content_filter: 'other',
  takes_no_images: 'other',
  takes_no_tools: 'plain',
  output_too_long: 'none',
  output_limit_used_up: 'other',
  unavailable: 'none',
  token_grant_used_up: 'none',
  aborted: 'none',
} as const;

/** Cause of a failed call. */
export type ModelFaultKind = keyof typeof REMEDIES;

/** A failed model call. Its message is for logs; only `kind` may reach a client. */
export class ModelFault extends Error {
  override readonly name = 'ModelFault';
  readonly kind: ModelFaultKind;
  /** Wait that the provider asked for, when it said so. */
  readonly retryAfterSeconds: number | undefined;
  /** Parts of the request that the provider refused by name. */
  readonly refuses: readonly RequestPart[];
  /** Window of the model, where the provider named it. */
  readonly contextTokens: number | undefined;

  constructor(kind: ModelFaultKind, options: ModelFaultOptions = {}) {
    super(`model call failed: ${kind}${options.address === undefined ? '' : ` (${options.address})`}`, options);
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.refuses = options.refuses ?? [];
    this.contextTokens = options.contextTokens;
  }
}

/** Facts about a failed call. */
export interface ModelFaultOptions {
  readonly retryAfterSeconds?: number | undefined;
  readonly refuses?: readonly RequestPart[];
  readonly contextTokens?: number | undefined;
  /** Address that was asked, for the log. */
  readonly address?: string;
  readonly cause?: unknown;
}

/** Hint at a prompt that is too long; agents shorten a conversation where they find these words. */
export const TOO_LONG = 'please reduce the length of the messages (context_length_exceeded)';

/** A failure as people read it: `rate_limited` → `rate limited`, with its limit; agents look for the words of the window's. */
export function faultWords(failure: { fault: ModelFaultKind; outputTokens?: number; contextTokens?: number }): string {
  const { fault, outputTokens, contextTokens } = failure;
  if (fault === 'context_length' && contextTokens !== undefined) {
    return `context length: this model's maximum context length is ${contextTokens} tokens`;
  }
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
