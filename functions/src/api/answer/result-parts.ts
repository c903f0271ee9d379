import type { EnsembleResult } from '../../ensemble/open-ensemble';
import type { Candidate } from '../../ensemble/run';
import { planBody } from './plan-body';
import { unlessEmpty, usd } from './reply-parts';

/** Fields of a reply in one piece about the candidates. */
export function comparisonBody(result: EnsembleResult): object {
  return {
    candidates: result.candidates?.map(candidateBody),
    checks: result.checks,
    // Where both could be told, the finer one is (docs/api.md, Agreement).
    agreement: result.agreementByPlace ?? result.agreement,
    followUpPrompts: result.followUpPrompts,
  };
}

/** Fields of every reply about its run. */
export function endingBody({ sources, unsupportedUrls, degraded, plan }: EnsembleResult, ignored: readonly string[]) {
  return {
    sources,
    unsupportedUrls,
    degraded: unlessEmpty(degraded),
    ignored: unlessEmpty(ignored),
    plan: plan && planBody(plan),
  };
}

/** A candidate as replies in one piece show it. */
function candidateBody(candidate: Candidate): object {
  const { modelId, modelName, label, response, sources, promptTokens, completionTokens, executionTimeMs, costNanoUsd } =
    candidate;
  return {
    modelId,
    modelName,
    label,
    response,
    sources,
    tokenUsage: { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens },
    executionTimeMs,
    cost: usd(costNanoUsd),
  };
}
