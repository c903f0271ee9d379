import type { Advice } from '../../../runs/turn-store';
import { candidatesOf, withFollowUps } from '../../arbiter/ending';
import { callsOf } from '../../estimate/calls';
import { shownText, stand } from '../../panel/contributors';
import { type Ending, type EnsembleRequest, noteDegraded, type Run, type Strategy } from '../../run';
import { askAll } from '../../waves/ask-all';
import { type Question, question } from '../../waves/question';
import { actorPrompt } from './actor';
import { adviceQuestions } from './advisers';
import { withoutFakeCalls } from './fake-calls';
import { actReviewed } from './review';

/**
 * An ensemble with tools: at the beginning of a user's turn each participant writes short advice, without a call; the
 * arbiter acts, with the advice and the client's tools, and goes on in the following requests of the turn without asking
 * again. Calls: one each and 1 at the beginning of a turn, then 1; for each review one each and 1. Waves: 2, then 1; 2 more
 * a review.
 */
export const agent: Strategy = {
  calls: ({ panel: { participants, arbiter }, agent: setup }) => {
    const advising = asksForAdvice(setup) ? [{ round: 0, calls: callsOf(participants, 'advise', 0) }] : [];
    const reviews = Array.from({ length: setup?.reviews ?? 0 }, (_, index) => [
      { round: index + 2, calls: callsOf(participants, 'review', 1) },
      { round: index + 2, calls: callsOf([arbiter], 'answer', participants.length) },
    ]);
    return { waves: [...advising, ...reviews.flat()], material: setup?.advises ? participants.length : 0 };
  },
  firstWave: ({ request }) => (asksForAdvice(request.agent) ? adviceQuestions(request) : [actorQuestion(request)]),
  play,
};

/** True of a request with tools whose first call is that of its arbiter. */
export function beginsWithArbiter({ agent: setup }: EnsembleRequest): boolean {
  return setup !== undefined && !asksForAdvice(setup);
}

function asksForAdvice(setup: EnsembleRequest['agent']): boolean {
  return setup?.advises === true && setup.kept === undefined;
}

/** The arbiter's call where nobody is asked for advice before. */
function actorQuestion(request: EnsembleRequest): Question {
  const { arbiter: seat } = request.panel;
  const asked = { callId: 'answer', seat, purpose: 'answer', round: 0 } as const;
  return question(asked, actorPrompt(request, request.agent?.kept?.advice ?? []));
}

async function play(run: Run, firstWave: readonly Question[]): Promise<Ending> {
  const { request } = run;
  const { agent: setup, panel } = request;
  const asks = asksForAdvice(setup);
  const advice = asks ? await askForAdvice(run, firstWave) : (setup?.kept?.advice ?? []);
  if (setup?.advises && advice.length === 0)
    noteDegraded(run, `No participant gave advice: ${panel.arbiter.label} acts alone`);
  const seated = panel.participants.flatMap((seat) => {
    const given = advice.filter((each) => each.seat === seat.id);
    return given.map(({ text }) => ({ seat, text }));
  });
  const texts = stand(run, seated);
  return withFollowUps(run, undefined, async () => {
    const { reviews, ...ending } = await actReviewed(run, actorPrompt(request, advice));
    const turn = { advice, earlier: setup?.earlier, reviews: (setup?.kept?.reviews ?? 0) + reviews };
    return { ...candidatesOf(run, texts, ending.text), ...ending, ...((asks || reviews > 0) && { turn }) };
  });
}

/** The advice of those participants that gave some. */
async function askForAdvice(run: Run, questions: readonly Question[]): Promise<readonly Advice[]> {
  const { sink, request } = run;
  if (request.toolResults)
    noteDegraded(run, "The advice on the user's last message was not found, and was asked for anew");
  const names = questions.map(({ seat }) => seat.label).join(', ');
  sink.status(`${names} ${questions.length > 1 ? 'are' : 'is'} giving advice`);
  const replies = await askAll(run, questions);
  return questions.flatMap(({ seat }, index) => {
    const reply = replies[index];
    if (!reply) return [];
    const text = withoutFakeCalls(reply.text);
    if (text === '') noteDegraded(run, `${seat.label} gave no advice`);
    const shown = shownText(run, { seat, text, isCut: reply.isCut });
    return text === '' ? [] : [{ seat: seat.id, text, ...(shown !== text && { shown }) }];
  });
}
