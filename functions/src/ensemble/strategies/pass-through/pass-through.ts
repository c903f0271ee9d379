import { Fault } from '../../../errors';
import { candidatesOf } from '../../arbiter/conclude';
import { withFollowUps } from '../../arbiter/follow-ups';
import { arbiterPrompt } from '../../arbiter/prompts';
import { askForAnswer } from '../../arbiter/write-answer';
import type { Ending, EnsembleRequest, Opening, Run, Strategy } from '../../run';
import { faultWords } from '../../waves/ask-one';
import { type Question, question } from '../../waves/question';

/**
 * One model, one streamed call with the caller's own instructions and sampling: what a plain SDK user expects.
 * A second look at its own answer has negative evidence (arXiv 2310.01798), so there is none. Calls: 1.
 */
const passThrough: Strategy = {
  waves: () => 0,
  firstWave: (opening) => [directQuestion(opening)],
  play: answerDirectly,
};

/** The strategy that plays a request: the one asked for, unless one model alone does as well. */
export function strategyFor({ strategy, panel, rounds, includeExplanation }: EnsembleRequest): Strategy {
  const [only, ...others] = panel.participants;
  const alone = others.length === 0 && only?.model.id === panel.arbiter.model.id;
  return strategy.direct && alone && rounds === 1 && !includeExplanation ? passThrough : strategy;
}

function directQuestion(opening: Opening): Question {
  const { arbiter, participants } = opening.request.panel;
  const [seat = arbiter] = participants;
  return question({ callId: 'answer', seat, purpose: 'answer', round: 1 }, arbiterPrompt(opening, []));
}

async function answerDirectly(run: Run, [asked = directQuestion(run)]: readonly Question[]): Promise<Ending> {
  const { seat } = asked;
  run.sink.status(`${seat.label} is answering`);
  return withFollowUps(run, undefined, async () => {
    const result = await askForAnswer(run, asked, { rung: 0, rungs: 1 });
    if (!result.ok) {
      const what = result.streamed ? 'The answer was cut off' : 'The model failed';
      const text = `${what}: ${seat.model.id} (${faultWords(result.fault)})`;
      throw new Fault('models_failed', text, { cause: result.cause });
    }
    return candidatesOf(run, [{ seat, text: result.text }]);
  });
}
