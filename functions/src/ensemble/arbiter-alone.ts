import type { EnsembleRequest } from './run';
import { DEFAULT_STRATEGY } from './strategies/strategies';

/** The same request as one call to its arbiter, and why. */
export function arbiterAlone(request: EnsembleRequest, flaw: string): EnsembleRequest {
  const { panel, degraded = [], webSearch } = request;
  // What is too dear with a search may be paid without.
  const { webSearch: _search, ...arbiter } = panel.arbiter;
  const asked = webSearch ? 'asked, without web search' : 'asked';
  return {
    ...request,
    strategy: DEFAULT_STRATEGY,
    // Its own seat, and not that of the first participant.
    panel: { participants: [arbiter], arbiter },
    rounds: 1,
    includeExplanation: false,
    includeFollowUps: false,
    degraded: [...degraded, `Only ${panel.arbiter.label} was ${asked}: ${flaw}`],
  };
}
