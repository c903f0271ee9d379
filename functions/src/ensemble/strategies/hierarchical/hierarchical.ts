import { shuffled } from '../../../prompting/blind-labels';
import type { FencedText, PromptBlock } from '../../../prompting/prompt-draft';
import { textsAgree } from '../../agreement/answers-agree';
import { conclude } from '../../arbiter/conclude';
import { callsOf, type StrategyCalls, wavesOfRounds } from '../../estimate/calls';
import { taskInForm } from '../../form/form-words';
import { activeContributors, type Contributor, longestFirst, shownText, stand } from '../../panel/contributors';
import type { Panel, Seat } from '../../panel/panel';
import { revise } from '../../panel/revision';
import { type Ending, type EnsembleRequest, noteDegraded, type Opening, type Run, type Strategy } from '../../run';
import { askAll } from '../../waves/ask-all';
import { draftInstead } from '../../waves/drafts';
import { type Asked, type Question, question } from '../../waves/question';
import { askEach, playRounds } from '../../waves/rounds';
import {
  assembledParts,
  defectsFound,
  PARTS_ANALYSIS,
  PARTS_ANSWER_TASK,
  partTask,
  planTask,
  replanTask,
  reviewTask,
  type SharedPlan,
} from './prompts';
import { PLAN_SCHEMA, parseWorkPlan, parseWorkReview, REVIEW_SCHEMA, type WorkReview } from './replies';

/**
 * Hierarchical: a strategist plans, implementers do their items side by side, a reviewer checks all parts; only parts
 * with defects are done again. The strategist is asked again for a fault of the plan if calls saved so far pay for it.
 * Calls: at most 2 + r·(max(1, n−2) + 1) + v; serial waves: 2r + 2 + v.
 */
export const hierarchical: Strategy = {
  calls: divisionCalls,
  firstWave: (opening) => {
    const { strategist, implementers } = crewOf(opening.request.panel);
    return [judgeQuestion(opening, planning('plan', strategist, 0), planTask(implementers.length))];
  },
  play: divideAndReview,
};

/** An implementer and its part; the text is empty until it has delivered. */
interface Worker extends Contributor {
  readonly number: number;
  part: string;
}

interface Work {
  plan: SharedPlan | undefined;
  workers: Worker[];
  review?: WorkReview | undefined;
  /** Implementer calls that the formula allows and that were not needed. */
  savedCalls: number;
}

/** The first plans, the last one reviews, those between implement; two or one take several parts. */
function crewOf({ participants, arbiter }: Panel) {
  const [first = arbiter, second = first] = participants;
  if (participants.length < 3) return { strategist: first, reviewer: first, implementers: [second] };
  return { strategist: first, reviewer: participants.at(-1) ?? first, implementers: participants.slice(1, -1) };
}

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

function planning(callId: string, seat: Seat, round: number): Asked {
  return { callId, seat, purpose: 'plan', round, outputSchema: PLAN_SCHEMA };
}

function judgeQuestion({ request, conversation }: Opening, asked: Asked, task: readonly PromptBlock[]): Question {
  return question(asked, { conversation, task: taskInForm(request.answerForm, asked.purpose, task) });
}

async function divideAndReview(run: Run, firstWave: readonly Question[]): Promise<Ending> {
  const { strategist, implementers } = crewOf(run.request.panel);
  run.sink.status(`${strategist.label} is planning the work`);
  const plan = await planned(run, firstWave, implementers.length);
  if (!plan) noteDegraded(run, `${strategist.label} gave no usable plan: every implementer does the whole task`);
  const idle = implementers.slice(0, plan?.items.length).map((seat) => ({ seat, text: '', failures: 0 }));
  const work: Work = { plan, workers: numbered(run, idle, plan), savedCalls: 0 };
  const rounds = { from: 1, title: 'implementing and reviewing', contributors: work.workers };
  await playRounds(run, rounds, (round) => playRound(run, work, round));
  return assemble(run, delivered(work).length === 0 ? await standIn(run, work) : work);
}

/** The plan as those who work by it read it: nothing tells who made it. */
async function planned(run: Run, asked: readonly Question[], itemsMax: number): Promise<SharedPlan | undefined> {
  const { mask } = run;
  const [reply] = await askAll(run, asked);
  const plan = reply && parseWorkPlan(reply.text, itemsMax);
  return (
    plan && {
      items: plan.items.map(({ title, task }) => ({ title: mask(title), task: mask(task) })),
      decisions: plan.decisions.map(mask),
      checks: plan.checks.map(mask),
      by: crewOf(run.request.panel).strategist.id,
    }
  );
}

/** Parts are numbered by the plan; where each is a whole answer, in an order that favours none. */
function numbered(run: Run, contributors: readonly Contributor[], plan?: SharedPlan): Worker[] {
  const inOrder = contributors.map((_, index) => index + 1);
  const numbers = plan ? inOrder : shuffled(inOrder, { requestId: run.id, reader: 'reviewer', step: 'parts' });
  return contributors.map((contributor, index) => {
    const number = numbers[index] ?? index + 1;
    return { ...contributor, number, part: partIn(plan, number) };
  });
}

function partIn(plan: SharedPlan | undefined, number: number): string {
  return plan?.items[number - 1]?.title ?? 'the whole task';
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
    purpose: ({ text }) => (text === '' ? 'draft' : 'revise'),
    task: (worker) => {
      const defects = worker.text === '' ? undefined : defectsFound(reviewer.id, defectsFor(work, worker));
      return partTask(work.plan, worker, defects);
    },
  });
  for (const reply of replies) revise(run, reply);
  if (delivered(work).length === 0) return 'Nobody could do the work';
  work.review = await reviewed(run, work, round);
  if (!work.review) return 'There is no review';
  if (work.review.approved) return `${reviewer.label} approves`;
  return dueIn(work).length > 0 ? undefined : 'Nothing is left to correct';
}

/** Before the first review everybody has work; after it, whoever has defects or no part yet. */
function dueIn(work: Work): Worker[] {
  return activeContributors(work.workers).filter(
    (worker) => !work.review || worker.text === '' || defectsFor(work, worker).length > 0,
  );
}

/** Defects that the last review asks an implementer to correct, those of the plan included. */
function defectsFor({ review }: Work, { number }: Worker): string[] {
  const { defects = [] } = review ?? {};
  const own = defects.filter(({ item }) => item === number || item === 'all');
  return [...defects.filter(({ item }) => item === 'plan'), ...own].map(({ text }) => text);
}

function delivered({ workers }: Work): Worker[] {
  return workers.filter(({ text }) => text !== '').toSorted((a, b) => a.number - b.number);
}

function partsOf(run: Run, work: Work): FencedText[] {
  return delivered(work).map((worker) => ({
    title: `part ${worker.number}`,
    text: shownText(run, worker),
    by: worker.seat.id,
  }));
}

async function correctPlan(run: Run, work: Work, round: number): Promise<void> {
  const defects = (work.review?.defects ?? []).filter(({ item }) => item === 'plan').map(({ text }) => text);
  if (!work.plan || defects.length === 0 || work.savedCalls < 1) return;
  const { strategist, reviewer } = crewOf(run.request.panel);
  run.sink.status(`${strategist.label} is correcting the plan`);
  work.savedCalls -= 1;
  const itemsMax = work.workers.length;
  const task = replanTask(work.plan, defectsFound(reviewer.id, defects), itemsMax);
  const asked = planning(`r${round}.${strategist.id}.plan`, strategist, round);
  const plan = await planned(run, [judgeQuestion(run, asked, task)], itemsMax);
  if (!plan) return;
  work.plan = plan;
  // A smaller plan leaves some without an item: what they did belongs to the old one.
  const idle = work.workers.splice(plan.items.length).filter(({ text }) => text !== '');
  for (const worker of work.workers) worker.part = partIn(plan, worker.number);
  stand(
    run,
    idle.map(({ seat }) => ({ seat, text: '' })),
  );
}

/** The review as others read it: nothing in it tells who wrote what. */
async function reviewed(run: Run, work: Work, round: number): Promise<WorkReview | undefined> {
  const { reviewer: seat } = crewOf(run.request.panel);
  const callId = `r${round}.${seat.id}.review`;
  const asked = { callId, seat, purpose: 'review', round, outputSchema: REVIEW_SCHEMA } as const;
  const [reply] = await askAll(run, [judgeQuestion(run, asked, reviewTask(work.plan, partsOf(run, work)))]);
  const review = reply && parseWorkReview(reply.text);
  return review && { ...review, defects: review.defects.map(({ item, text }) => ({ item, text: run.mask(text) })) };
}

async function standIn(run: Run, { workers }: Work): Promise<Work> {
  const others = run.request.panel.participants.filter((seat) => workers.every((worker) => worker.seat !== seat));
  const drafted = numbered(run, await draftInstead(run, others));
  stand(run, drafted);
  return { plan: undefined, workers: drafted, savedCalls: 0 };
}

function assemble(run: Run, work: Work): Promise<Ending> {
  const { plan, review } = work;
  const { strategist, reviewer } = crewOf(run.request.panel);
  const open = (review?.defects ?? []).map(
    ({ item, text }) => `${typeof item === 'number' ? `Part ${item}` : item}: ${text}`,
  );
  const workers = delivered(work);
  const verdict = review?.approved ? 'Approved.' : 'Not approved in the rounds played.';
  return conclude(run, {
    candidates: run.request.panel.participants.length === 1 ? [] : workers,
    material: assembledParts(plan, partsOf(run, work), defectsFound(reviewer.id, open)),
    form: PARTS_ANALYSIS,
    answerTask: PARTS_ANSWER_TASK,
    // Parts of one answer are not to be alike.
    ...(plan ? { areParts: true } : { agreement: textsAgree(workers, run.request.answerForm) }),
    known: [
      { title: 'Plan', lines: workers.map(({ number, part, seat }) => `${number}. ${part} (${seat.label})`) },
      { title: 'Review', lines: [review ? verdict : 'There was none.', ...open] },
    ],
    authors: [...longestFirst(workers), ...(review ? [reviewer] : []), ...(plan ? [strategist] : [])],
  });
}
