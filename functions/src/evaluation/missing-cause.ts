import type { ModelFaultKind } from '../models/model-fault';

/** Why a judge has no usable scores for a response; `unusable`: it answered, but not with scores. */
export type MissingCause = ModelFaultKind | 'unusable';

/** Words for missing judges, never the provider's; all other causes are `not available`. */
const CAUSE_WORDS: Readonly<Partial<Record<MissingCause, string>>> = {
  rate_limited: 'rate limited',
  overloaded: 'overloaded',
  timeout: 'timed out',
  aborted: 'timed out',
  out_of_credit: 'out of credit',
  not_configured: 'not configured',
  not_found: 'not found',
  context_length: 'too long for the judge',
  network: 'not reachable',
  protocol: 'not reachable',
  content_filter: 'refused',
  empty: 'without an answer',
  output_too_long: 'without an end',
  output_limit_used_up: 'without an answer',
  token_grant_used_up: 'without tokens left',
  unusable: 'unusable output',
};
/** A cause as people read it. */
export function causeWords(cause: MissingCause): string {
  return CAUSE_WORDS[cause] ?? 'not available';
}
