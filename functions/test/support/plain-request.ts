import type { Panel } from '../../src/ensemble/panel/panel';
import type { EnsembleRequest } from '../../src/ensemble/run';
import { STRATEGIES } from '../../src/ensemble/strategies/strategies';
import { textOfTokens } from './text-of-tokens';

/** A request with a message of 1,000 tokens and one round, which asks for nothing beside the answer. */
export function plainRequest(panel: Panel, change: Partial<EnsembleRequest> = {}): EnsembleRequest {
  return {
    requestId: 'request',
    strategy: STRATEGIES.competitive_refinement,
    rounds: 1,
    panel,
    message: textOfTokens(1_000),
    history: [],
    sampling: {},
    includeCandidates: false,
    includeExplanation: false,
    includeFollowUps: false,
    ...change,
  };
}
