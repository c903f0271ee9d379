import type { Seat } from '../ensemble/panel';
import type { EnsembleRequest } from '../ensemble/run';
import { strategyFor } from '../ensemble/strategies';
import { estimateTokens, IMAGE_TOKENS } from '../models/model';

/** What one reply is taken for while nothing is known of it. */
export const REPLY_TOKENS = 600;

/** Whether a seat's calls are the platform's to pay. */
function isPlatformSeat({ model }: Seat): boolean {
  return model.provider !== 'router';
}

/**
 * The platform tokens a run is likely to take, by its panel, its rounds and the size of its prompt: every platform
 * participant reads the conversation in every wave, and from the second on everybody's last text with it; a platform
 * arbiter reads all of that once for each of its calls. 0 when no seat is the platform's. A guess to lease by, neither
 * a bound nor a bill: a run that needs more leases more on its way.
 */
export function estimatePlatformTokens(request: EnsembleRequest): number {
  const { participants, arbiter } = request.panel;
  const strategy = strategyFor(request);
  const conversation = conversationTokens(request);
  const withTexts = conversation + participants.length * REPLY_TOKENS + REPLY_TOKENS;
  const waves = strategy.waves(request);
  // Pass-through has no waves: its one call is the participant's own answer.
  const perParticipant = waves === 0 ? 0 : conversation + REPLY_TOKENS + (waves - 1) * withTexts;
  const judging = strategy.judges || request.includeExplanation ? 1 : 0;
  const arbiterCalls = 1 + judging + (request.includeFollowUps ? 1 : 0);
  const drafting = participants.filter(isPlatformSeat).length * perParticipant;
  return (
    drafting + (isPlatformSeat(arbiter) ? arbiterCalls * (waves === 0 ? conversation + REPLY_TOKENS : withTexts) : 0)
  );
}

function conversationTokens({ history, prompt, systemPrompt = '', images = [] }: EnsembleRequest): number {
  const texts = [...history.map(({ text }) => text), prompt, systemPrompt];
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0) + images.length * IMAGE_TOKENS;
}
