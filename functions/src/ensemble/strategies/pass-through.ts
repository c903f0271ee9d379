import { Fault } from '../../errors';
import { askForAnswer } from '../answer';
import { offerCandidates } from '../arbiter';
import { faultWords } from '../ask';
import { conversationOf } from '../conversation';
import { startFollowUps } from '../follow-ups';
import { directPrompt } from '../prompts/draft';
import { type Question, question } from '../question';
import type { EnsembleRequest } from '../run';
import type { Strategy } from './strategy';

/**
 * One model, one streamed call with the caller's own instructions and sampling: what a plain SDK user expects.
 * A second look at its own answer has negative evidence (2310.01798), so there is none. Calls: 1.
 */
export const passThrough: Strategy = {
  waves: () => 0,
  judges: false,
  firstWave: (request, id) => [directQuestion(request, id)],
  play: async (run) => {
    const asked = directQuestion(run.request, run.id);
    run.emit({ type: 'status', text: `${asked.seat.label} is answering` });
    const followUps = startFollowUps(run, undefined);
    try {
      const result = await askForAnswer(run, asked, { rung: 0, rungs: 1 });
      if (!result.ok) {
        const cause = `${asked.seat.model.id} (${faultWords(result.fault)})`;
        throw new Fault(
          'models_failed',
          `${result.streamed ? 'The answer was cut off' : 'The model failed'}: ${cause}`,
          {
            cause: result.cause,
          },
        );
      }
      offerCandidates(run, [{ seat: asked.seat, text: result.text }]);
      const prompts = await followUps.prompts;
      if (prompts) run.emit({ type: 'followUps', prompts });
    } finally {
      followUps.cancel();
    }
  },
};

/** Whether a request needs no ensemble: one participant that is the arbiter, one round, no explanation (design §6). */
export function isPassThrough({ strategy, panel, rounds, includeExplanation }: EnsembleRequest): boolean {
  const single = panel.participants.length === 1 && panel.participants[0]?.model.id === panel.arbiter.model.id;
  const plain = strategy === 'competitive_refinement' || strategy === 'collaborative_synthesis';
  return plain && single && rounds === 1 && !includeExplanation;
}

function directQuestion(request: EnsembleRequest, id: string): Question {
  const seat = request.panel.participants[0] ?? request.panel.arbiter;
  const sheet = directPrompt(conversationOf({ id, request }), request.systemPrompt);
  return question({ callId: 'answer', seat, purpose: 'answer', round: 1 }, sheet);
}
