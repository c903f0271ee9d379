import type { Seat } from '../ensemble/panel/panel';
import { type EnsembleRequest, instructionsIn } from '../ensemble/run';
import { strategyFor } from '../ensemble/strategies/strategies';
import { REPLY_TOKENS } from '../ledger/estimate-cost';
import { estimateTokens, IMAGE_TOKENS } from '../models/estimate-tokens';
import { SEARCHES, withSearches } from '../models/web-search';

/**
 * The platform tokens a run is likely to take: every platform participant reads the conversation in every wave, and from
 * the second on all last texts with it; a platform arbiter reads all of that once for each of its calls. Neither a bound
 * nor a bill: a run that needs more leases more on its way.
 */
export function estimatePlatformTokens(request: EnsembleRequest): number {
  const { participants, arbiter } = request.panel;
  const strategy = strategyFor(request);
  const { waves: planned, verdicts } = strategy.plan(request);
  const waves = planned.length;
  const conversation = conversationTokens(request);
  const first = conversation + REPLY_TOKENS;
  const later = first + participants.length * REPLY_TOKENS;
  const judging = verdicts !== undefined || request.includeExplanation ? 1 : 0;
  const arbiterCalls = 1 + judging + (request.includeFollowUps ? 1 : 0);
  // Pass-through has no waves: its one call is the participant's own answer.
  const [perParticipant, perArbiterCall] = waves === 0 ? [0, first] : [first + (waves - 1) * later, later];
  const platform = participants.filter(isPlatformSeat);
  const tokensIn = (text = ''): number => estimateTokens(text);
  const own = platform.reduce((sum, { systemPrompt }) => sum + waves * tokensIn(systemPrompt), 0);
  const searching = (waves === 0 ? [arbiter] : participants).filter((seat) => seat.webSearch && isPlatformSeat(seat));
  const found = searching.length * withSearches(0, SEARCHES.mean).promptTokens;
  return own + found + platform.length * perParticipant + (isPlatformSeat(arbiter) ? arbiterCalls * perArbiterCall : 0);
}

/** All instructions are counted for everybody: who is shown fewer of them needs less. */
function conversationTokens(request: EnsembleRequest): number {
  const { history, message, images = [] } = request;
  const texts = [...history.map(({ text }) => text), message, ...instructionsIn(request)];
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0) + images.length * IMAGE_TOKENS;
}

function isPlatformSeat({ model }: Seat): boolean {
  return model.provider !== 'router';
}
