import type { PromptBlock } from '../../../prompting/prompt-draft';
import { textsAgree } from '../../agreement/answers-agree';
import { conclude } from '../../arbiter/conclude';
import { callsOf, type StrategyCalls, wavesOfRounds } from '../../estimate/calls';
import { taskInForm } from '../../form/form-words';
import { activeContributors, longestFirst, stand } from '../../panel/contributors';
import { revise } from '../../panel/revision';
import { type Ending, type EnsembleRequest, noteDegraded, type Opening, type Run, type Strategy } from '../../run';
import { askAll } from '../../waves/ask-all';
import { draftInstead } from '../../waves/drafts';
import { type Question, question } from '../../waves/question';
import { askEach, playRounds } from '../../waves/rounds';
import {
  assembledParts,
  implementTask,
  PARTS_ANALYSIS,
  PARTS_ANSWER_TASK,
  planTask,
  replanTask,
  reviewTask,
  reworkTask,
} from './prompts';
import { crewOf, defectsFor, delivered, numbered, partIn, partsOf, type Work, type Worker } from './work';
import { maskedPlan, PLAN_SCHEMA, parseWorkPlan, type SharedPlan } from './work-plan';
import { parseWorkReview, planDefectsOf, REVIEW_SCHEMA, type WorkReview } from './work-review';

/**
 * Hierarchical: a strategist plans, implementers do their items side by side, a reviewer checks all parts; only parts
 * with defects are done again. The strategist is asked again for a fault of the plan if calls saved so far pay for it.
 * Calls: at most 2 + r·(max(1, n−2) + 1) + v; serial waves: 2r + 2 + v.
 */
export const hierarchical: Strategy = {
  calls: divisionCalls,
  firstWave: (opening) => [planQuestion(opening, planTask(crewOf(opening.request.panel).implementers.length))],
  play: divideAndReview,
};

/** The plan of the work, its parts and their review; then parts again, each with its own before it. */
function divisionCalls({ panel, rounds }: EnsembleRequest): StrategyCalls {
  const { strategist, reviewer, implementers } = crewOf(panel);
  const review = callsOf([reviewer], 'review', implementers.length);
  return {
    waves: [
      { round: 0, calls: callsOf([strategist], 'plan', 0) },
      { round: 0, calls: callsOf(implementers, 'draft', 0) },
      { round: 0, calls: review },
      ...wavesOfRounds({ from: 2, rounds }, callsOf(implementers, 'revise', 1), review),
    ],
    material: implementers.length,
  };
}

async function divideAndReview(run: Run, firstWave: readonly Question[]): Promise<Ending> {
  const work = await startWork(run, firstWave);
  const rounds = { from: 1, title: 'implementing and reviewing', contributors: work.workers };
  await playRounds(run, rounds, (round) => playRound(run, work, round));
  if (delivered(work).length === 0) await standIn(run, work);
  return assemble(run, work);
}

function planQuestion({ request, conversation }: Opening, task: readonly PromptBlock[], round = 0): Question {
  const { strategist: seat } = crewOf(request.panel);
  const callId = round === 0 ? 'plan' : `r${round}.${seat.id}.plan`;
  const whole = taskInForm(request.answerForm, 'plan', task);
  const asked = { callId, seat, purpose: 'plan', round, outputSchema: PLAN_SCHEMA } as const;
  return question(asked, { conversation, task: whole });
}

async function startWork(run: Run, planning: readonly Question[]): Promise<Work> {
  const { strategist, implementers } = crewOf(run.request.panel);
  run.sink.status(`${strategist.label} is planning the work`);
  const plan = await plannedBy(run, planning, implementers.length);
  if (!plan) noteDegraded(run, `${strategist.label} gave no usable plan: every implementer does the whole task`);
  const idle = implementers.slice(0, plan?.items.length).map((seat) => ({ seat, text: '', failures: 0 }));
  return { plan, workers: numbered(run, idle, plan), review: undefined, savedCalls: 0 };
}

async function plannedBy(run: Run, asked: readonly Question[], itemsMax: number): Promise<SharedPlan | undefined> {
  const [reply] = await askAll(run, asked);
  const plan = reply && parseWorkPlan(reply.text, itemsMax);
  return plan && { ...maskedPlan(plan, run.mask), by: crewOf(run.request.panel).strategist.id };
}

/** Parts, then their review; says why nothing more is to be done, if so. */
async function playRound(run: Run, work: Work, round: number): Promise<string | undefined> {
  const { reviewer, implementers } = crewOf(run.request.panel);
  await correctPlan(run, work, round);
  const due = dueIn(work);
  work.savedCalls += implementers.length - due.length;
  const { replies } = await askEach(run, due, {
    round,
    needed: delivered(work).length === 0,
    purpose: (worker) => (isRework(work, worker) ? 'revise' : 'draft'),
    task: (worker) => workTask(run, work, worker),
  });
  for (const reply of replies) {
    reply.contributor.part = partIn(work, reply.contributor);
    revise(run, reply);
  }
  if (delivered(work).length === 0) return 'Nobody could do the work';
  work.review = await reviewed(run, work, round);
  if (!work.review) return 'There is no review';
  if (work.review.approved) return `${reviewer.label} approves`;
  return dueIn(work).length > 0 ? undefined : 'Nothing is left to correct';
}

/** Before the first review everybody has work; after it, whoever has defects or no part yet. */
function dueIn(work: Work): Worker[] {
  const isDue = (worker: Worker): boolean => !work.review || worker.text === '' || defectsFor(work, worker).length > 0;
  return activeContributors(work.workers).filter(isDue);
}

function isRework(work: Work, worker: Worker): boolean {
  return worker.text !== '' && defectsFor(work, worker).length > 0;
}

function workTask(run: Run, work: Work, worker: Worker): PromptBlock[] {
  const { plan } = work;
  const assignment = { plan, number: worker.number };
  if (!isRework(work, worker)) return implementTask(assignment);
  const { reviewer } = crewOf(run.request.panel);
  const defects = defectsFor(work, worker).map(run.mask);
  return reworkTask(assignment, { own: worker, defects, reviewer: reviewer.id });
}

async function correctPlan(run: Run, work: Work, round: number): Promise<void> {
  const defects = work.review ? planDefectsOf(work.review).map(run.mask) : [];
  if (!work.plan || defects.length === 0 || work.savedCalls < 1) return;
  const { strategist, reviewer } = crewOf(run.request.panel);
  run.sink.status(`${strategist.label} is correcting the plan`);
  work.savedCalls -= 1;
  const itemsMax = work.workers.length;
  const asked = planQuestion(run, replanTask(work.plan, { defects, itemsMax, reviewer: reviewer.id }), round);
  const plan = await plannedBy(run, [asked], itemsMax);
  if (!plan) return;
  work.plan = plan;
  // A smaller plan leaves some without an item: what they did belongs to the old one.
  const idle = work.workers.splice(plan.items.length).filter(({ text }) => text !== '');
  stand(
    run,
    idle.map(({ seat }) => ({ seat, text: '' })),
  );
}

async function reviewed(run: Run, work: Work, round: number): Promise<WorkReview | undefined> {
  const { reviewer: seat } = crewOf(run.request.panel);
  const task = taskInForm(run.request.answerForm, 'review', reviewTask(work.plan, partsOf(run, work)));
  const callId = `r${round}.${seat.id}.review`;
  const asked = { callId, seat, purpose: 'review', round, outputSchema: REVIEW_SCHEMA } as const;
  const [reply] = await askAll(run, [question(asked, { conversation: run.conversation, task })]);
  return reply && parseWorkReview(reply.text);
}

/** Lets the others answer the message when no implementer delivered. */
async function standIn(run: Run, work: Work): Promise<void> {
  const others = run.request.panel.participants.filter((seat) => work.workers.every((worker) => worker.seat !== seat));
  const drafts = await draftInstead(run, others);
  work.plan = undefined;
  work.review = undefined;
  work.workers = numbered(run, drafts, undefined);
  for (const worker of work.workers) worker.part = partIn(work, worker);
  stand(run, work.workers);
}

async function assemble(run: Run, work: Work): Promise<Ending> {
  const { plan, review } = work;
  const { strategist, reviewer } = crewOf(run.request.panel);
  const open = (review?.defects ?? []).map(({ item, text }) =>
    run.mask(`${typeof item === 'number' ? `Part ${item}` : item}: ${text}`),
  );
  const workers = delivered(work).map((worker) => ({ ...worker, part: partIn(work, worker) }));
  return conclude(run, {
    candidates: run.request.panel.participants.length === 1 ? [] : workers,
    material: assembledParts(plan, { parts: partsOf(run, work), defects: open, reviewer: reviewer.id }),
    form: PARTS_ANALYSIS,
    answerTask: PARTS_ANSWER_TASK,
    // Parts of one answer are not to be alike.
    ...(plan ? { areParts: true } : { agreement: textsAgree(workers, run.request.answerForm) }),
    known: [
      { title: 'Plan', lines: workers.map(({ number, part, seat }) => `${number}. ${part} (${seat.label})`) },
      { title: 'Review', lines: [reviewWords(review), ...open] },
    ],
    authors: [...longestFirst(workers), ...(review ? [reviewer] : []), ...(plan ? [strategist] : [])],
  });
}

function reviewWords(review: WorkReview | undefined): string {
  if (!review) return 'There was none.';
  return review.approved ? 'Approved.' : 'Not approved in the rounds played.';
}
