import { textsAgree } from '../../agreement/answers-agree';
import { conclude } from '../../arbiter/conclude';
import { patienceMs } from '../../deadline/model-paces';
import { callsOf, everybodyReadsAll, type StrategyCalls } from '../../estimate/calls';
import { anonymous, type Contributor, namesOf, othersOf, stand } from '../../panel/contributors';
import type { Seat } from '../../panel/panel';
import { revise } from '../../panel/revision';
import { type Ending, type EnsembleRequest, noteDegraded, type Opening, type Run, type Strategy } from '../../run';
import { callModel } from '../../waves/call-model';
import { draftAll, draftQuestion } from '../../waves/drafts';
import { type Question, question } from '../../waves/question';
import { askEach, playRounds } from '../../waves/rounds';
import { LENSES_SCHEMA, type Lens, parseLenses, STANDARD_LENSES } from './lenses';
import {
  lensesTask,
  OPINION_ANALYSIS,
  OPINION_ANSWER_TASK,
  opinionTask,
  panelOpinions,
  reconsiderTask,
} from './prompts';

/**
 * Expert panel: the arbiter chooses a point of view for each participant; everybody answers from theirs, and in each
 * further round concurs or dissents with the others. The arbiter, in the chair, writes the recommendation.
 * Calls: n·r + 2 + v; serial waves: r + 2 + v. Source: arXiv 2308.07201 (distinct roles are essential).
 */
export const expertPanel: Strategy = {
  calls: consultationCalls,
  modelWord: 'panel',
  firstWave: (opening) => [lensesQuestion(opening)],
  play: consult,
};

/** The choice of the points of view, opinions, then everybody reads all opinions. */
function consultationCalls({ panel, rounds }: EnsembleRequest): StrategyCalls {
  const { waves, ...rest } = everybodyReadsAll(panel, rounds);
  return { ...rest, waves: [{ round: 0, calls: callsOf([panel.arbiter], 'cast', 0) }, ...waves] };
}

interface Expert extends Contributor {
  readonly lens: Lens;
}

async function consult(run: Run, firstWave: readonly Question[]): Promise<Ending> {
  const lenses = await chooseLenses(run, firstWave);
  const lensOf = (seat: Seat): Lens => lenses[run.request.panel.participants.indexOf(seat)] ?? NO_LENS;
  const startedMs = run.clock.nowMs();
  const opinions = run.request.panel.participants.map((seat) => draftQuestion(run, seat, opinionTask(lensOf(seat))));
  const contributors = await draftAll(run, opinions);
  const experts = stand(
    run,
    contributors.map((contributor): Expert => {
      const lens = lensOf(contributor.seat);
      return { ...contributor, lens, part: lens.name };
    }),
  );
  await playRounds(run, { title: 'the experts reconsider', startedMs, contributors: experts }, (round) =>
    reconsider(run, experts, round),
  );
  const judged = anonymous(run, experts);
  return conclude(run, {
    candidates: experts,
    material: panelOpinions(judged),
    names: namesOf(judged),
    form: OPINION_ANALYSIS,
    answerTask: OPINION_ANSWER_TASK,
    agreement: textsAgree(experts, run.request.answerForm),
    known: [{ title: 'Roles', lines: experts.map(({ seat, lens }) => `${seat.label}: ${lens.name}`) }],
  });
}

/** The choice is worth this much of everybody's time, and a model's thoughts; then the standard ones are as good. */
const CHOICE_MAX_MS = 30_000;
const NO_LENS: Lens = { name: 'Expert', focus: 'What the message asks for.' };

function lensesQuestion({ request, conversation }: Opening): Question {
  const { participants, arbiter: seat } = request.panel;
  const task = lensesTask(participants.length);
  return question(
    { callId: 'cast', seat, purpose: 'cast', round: 0, outputSchema: LENSES_SCHEMA },
    { conversation, task },
  );
}

/** A point of view for each participant, in request order. */
async function chooseLenses(run: Run, [asked = lensesQuestion(run)]: readonly Question[]): Promise<readonly Lens[]> {
  const { participants, arbiter } = run.request.panel;
  run.sink.status(`${arbiter.label} is choosing the points of view`);
  const thinkingMs = patienceMs(run.paces, arbiter.model);
  const waveMs = run.deadline.nextWaveMs({ needed: false, patienceMs: thinkingMs });
  const budgetMs = Math.min(Math.max(CHOICE_MAX_MS, thinkingMs), waveMs);
  const result = await callModel(run, asked, { budgetMs });
  const chosen = result.ok ? parseLenses(result.text, participants.length) : [];
  if (chosen.length > 0) return chosen.map(({ name, focus }) => ({ name: run.mask(name), focus: run.mask(focus) }));
  noteDegraded(run, `${arbiter.label} chose no points of view; the standard ones are used`);
  return STANDARD_LENSES;
}

async function reconsider(run: Run, experts: readonly Expert[], round: number): Promise<string | undefined> {
  const { replies, complete } = await askEach(run, experts, {
    round,
    task: (contributor) => reconsiderTask(contributor, othersOf(run, experts, { contributor, round })),
  });
  const isSettled = replies.map((reply) => {
    const { text, said } = revise(run, reply, ['DISSENT']);
    return said.DISSENT === undefined ? text === '' : said.DISSENT.toLowerCase().startsWith('none');
  });
  return complete && isSettled.every(Boolean) ? 'No new dissent' : undefined;
}
