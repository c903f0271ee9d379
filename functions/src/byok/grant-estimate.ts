import type { Seat } from '../ensemble/panel/panel';
import type { EnsembleRequest } from '../ensemble/run';
import { strategyFor } from '../ensemble/strategies/pass-through/pass-through';
import { estimateTokens, IMAGE_TOKENS } from '../models/model';
import { REPLY_TOKENS } from '../usage/estimate-cost';

/**
 * The platform tokens a run is likely to take: every platform participant reads the conversation in every wave, and from
 * the second on all last texts with it; a platform arbiter reads all of that once for each of its calls. Neither a bound
 * nor a bill: a run that needs more leases more on its way.
 */
export function estimatePlatformTokens(request: EnsembleRequest): number {
  const { participants, arbiter } = request.panel;
  const strategy = strategyFor(request);
  const waves = strategy.waves(request);
  const conversation = conversationTokens(request);
  const first = conversation + REPLY_TOKENS;
  const later = first + participants.length * REPLY_TOKENS;
  const judging = strategy.judges || request.includeExplanation ? 1 : 0;
  const arbiterCalls = 1 + judging + (request.includeFollowUps ? 1 : 0);
  // Pass-through has no waves: its one call is the participant's own answer.
  const [perParticipant, perArbiterCall] = waves === 0 ? [0, first] : [first + (waves - 1) * later, later];
  const platformParticipants = participants.filter(isPlatformSeat).length;
  return platformParticipants * perParticipant + (isPlatformSeat(arbiter) ? arbiterCalls * perArbiterCall : 0);
}

function conversationTokens({ history, message, systemPrompt = '', images = [] }: EnsembleRequest): number {
  const texts = [...history.map(({ text }) => text), message, systemPrompt];
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0) + images.length * IMAGE_TOKENS;
}

function isPlatformSeat({ model }: Seat): boolean {
  return model.provider !== 'router';
}
