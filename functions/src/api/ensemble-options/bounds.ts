import * as z from 'zod';
import { HARD_STOP_MS } from '../../ensemble/deadline/deadline';
import { leastCostNanoUsd } from '../../ensemble/estimate/estimate';
import type { RunLimits } from '../../ensemble/estimate/limits';
import type { Panel } from '../../ensemble/panel/panel';
import type { EnsembleRequest } from '../../ensemble/run';
import type { StragglerRule } from '../../ensemble/waves/stragglers';
import { type Refusal, refuse } from '../../errors';
import { formatUsd } from '../../lib/usd';

const SECONDS_MAX = HARD_STOP_MS / 1_000;
const NANO = 1e9;
const GRACE_RULE = `must be between 0 and ${SECONDS_MAX}`;
const SECONDS_RULE = `must be between 1 and ${SECONDS_MAX}`;
const COST_RULE = 'must be a number above 0';
/** The participants are counted where they are known. */
const QUORUM_RULE = 'must be an integer from 1 to the number of participants';

/** The fields of `ai_ensemble` that bound how long participants are waited for, and what a run may cost and take. */
export const boundFields = {
  quorum: z
    .int(QUORUM_RULE)
    .positive(QUORUM_RULE)
    .optional()
    .describe(
      'Once so many participants of a wave have answered, the others may be given up; at most as many as there are.',
    ),
  graceSeconds: z
    .number(GRACE_RULE)
    .min(0, GRACE_RULE)
    .max(SECONDS_MAX, GRACE_RULE)
    .optional()
    .describe('How long the others then have, in seconds.'),
  maxCostUsd: z.number(COST_RULE).positive(COST_RULE).optional().describe('What the run may cost, in US dollars.'),
  maxSeconds: z
    .number(SECONDS_RULE)
    .min(1, SECONDS_RULE)
    .max(SECONDS_MAX, SECONDS_RULE)
    .optional()
    .describe('How long the run may take, in seconds.'),
};

/** Values of those fields. */
type Bounds = z.infer<z.ZodObject<typeof boundFields>>;

/** The caller's rule for giving up slow participants; refuses to wait for more participants than there are. */
export function stragglerRule({ quorum, graceSeconds }: Bounds, { participants }: Panel): StragglerRule | Refusal {
  if (quorum !== undefined && quorum > participants.length) {
    return refuse('invalid_request', `Invalid ai_ensemble.quorum: ${QUORUM_RULE}`);
  }
  return {
    ...(quorum !== undefined && { quorum }),
    ...(graceSeconds !== undefined && { graceMs: graceSeconds * 1_000 }),
  };
}

/** The caller's limits on cost and time of a run. */
export function runLimits({ maxCostUsd, maxSeconds }: Bounds): RunLimits {
  return {
    ...(maxCostUsd !== undefined && { maxCostNanoUsd: maxCostUsd * NANO }),
    ...(maxSeconds !== undefined && { maxMs: maxSeconds * 1_000 }),
  };
}

/** A 400 where not even a short answer of the arbiter alone fits what the run may cost; undefined where it does. */
export function refuseCost(request: EnsembleRequest, atMs: number): Refusal | undefined {
  const { maxCostNanoUsd } = request.limits ?? {};
  if (maxCostNanoUsd === undefined) return undefined;
  const leastNanoUsd = leastCostNanoUsd(request, atMs);
  if (leastNanoUsd <= maxCostNanoUsd) return undefined;
  const least = formatUsd(leastNanoUsd);
  return refuse('invalid_request', `Invalid ai_ensemble.maxCostUsd: one answer alone costs at least ${least}`);
}
