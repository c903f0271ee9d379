import type { EndpointDeps } from '../endpoint-deps';
import type { Suggestions } from './playground-deps';

/** The slow demo model is given up so long after most of the others have answered. */
const DEMO_GRACE_SECONDS = 3;
/** A slow one that is given up, one that fails at first and answers when it is asked again, and one that dissents. */
const DEMO_PANEL = ['demo-ada', 'demo-slow', 'demo-unreliable', 'demo-dissenter'] as const;

/** Suggestions for a first run: the models of the deployment, or those demo models that have something to show. */
export function suggestionsOf(
  { catalog, defaultModel, defaultPanel }: EndpointDeps,
  prompts: readonly string[],
): Suggestions {
  const isScripted = (id: string): boolean => catalog.modelOf(id).provider === 'scripted';
  const scripted = [defaultModel, ...defaultPanel].every(isScripted);
  const participants = scripted ? DEMO_PANEL : defaultPanel;
  const grace = scripted && { graceSeconds: DEMO_GRACE_SECONDS };
  return { prompts, participants, arbiter: defaultModel, ...grace, scripted };
}
