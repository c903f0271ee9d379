import { conclude } from '../arbiter';
import { askAll } from '../ask-all';
import { conversationOf } from '../conversation';
import { degrade } from '../degrade';
import { activePlayers, draftInstead, longestFirst, replaceText, settleReplies } from '../players';
import { assembledParts, PARTS_ANALYSIS, PARTS_ANSWER_TASK, replanPrompt, reviewPrompt } from '../prompts/hierarchical';
import { type Question, question } from '../question';
import { playRounds } from '../rounds';
import type { Run } from '../run';
import { type Crew, crewOf, done, isDue, numbered, partsOf, type Work, type Worker } from '../work';
import { planQuestion, workQuestion } from '../work-orders';
import { parseWorkPlan, type WorkPlan } from '../work-plan';
import { parseWorkReview, planDefectsOf, type WorkReview } from '../work-review';
import type { Strategy } from './strategy';

/**
 * Hierarchical. The first participant plans, the last one reviews, those between implement (two: the first also
 * reviews; one does it all). A plan of work items; then, round by round, parts side by side and one review of them
 * all; only parts with defects are done again. The arbiter assembles the answer. Ends early when the reviewer
 * approves. The strategist is called again for a fault of the plan if calls saved so far pay for it.
 *
 * Calls: at most 2 + r·(max(1, n−2) + 1) + v; serial waves: 2r + 2 + v. Source: ensemble reference §5.
 */
export const hierarchical: Strategy = {
  waves: ({ rounds }) => 1 + 2 * rounds,
  judges: false,
  firstWave: (request, id) => [planQuestion(request, id)],
  play: async (run) => {
    const work = await startWork(run);
    await playRounds(run, { from: 1, title: 'implementing and reviewing', lastMs: 0, players: work.workers }, (round) =>
      playRound(run, work, round),
    );
    if (done(work).length === 0) await standIn(run, work);
    await assemble(run, work);
  },
};

async function startWork(run: Run): Promise<Work> {
  const crew = crewOf(run.request.panel);
  run.emit({ type: 'status', text: `${crew.strategist.label} is planning the work` });
  const plan = await plannedBy(run, planQuestion(run.request, run.id), crew);
  if (!plan) degrade(run, `${crew.strategist.label} gave no usable plan: every implementer does the whole task`);
  const idle = crew.implementers.slice(0, plan?.items.length).map((seat) => ({ seat, text: '', failures: 0 }));
  return { crew, plan, workers: numbered(run, idle, plan), review: undefined, savedCalls: 0 };
}

async function plannedBy(run: Run, asked: Question, { implementers }: Crew): Promise<WorkPlan | undefined> {
  const [reply] = await askAll(run, [asked]);
  return reply?.text === undefined ? undefined : parseWorkPlan(run.mask(reply.text), implementers.length);
}

/** Parts, then their review. */
async function playRound(run: Run, work: Work, round: number): Promise<string | undefined> {
  await correctPlan(run, work, round);
  const due = activePlayers(work.workers).filter((worker) => isDue(work, worker));
  work.savedCalls += work.crew.implementers.length - due.length;
  const asked = due.map((worker) => workQuestion(run, work, { worker, round }));
  const replies = settleReplies(await askAll(run, asked, { needed: done(work).length === 0 }));
  for (const { question: order, text } of replies) replaceText(order.player, text.trim());
  if (done(work).length === 0) return 'Nobody could do the work';
  work.review = await reviewedBy(run, work, round);
  if (!work.review) return 'There is no review';
  if (work.review.approved) return `${work.crew.reviewer.label} approves`;
  return activePlayers(work.workers).some((worker) => isDue(work, worker)) ? undefined : 'Nothing is left to correct';
}

async function correctPlan(run: Run, work: Work, round: number): Promise<void> {
  const defects = work.review ? planDefectsOf(work.review).map(run.mask) : [];
  if (!work.plan || defects.length === 0 || work.savedCalls < 1) return;
  const { strategist: seat, implementers } = work.crew;
  run.emit({ type: 'status', text: `${seat.label} is correcting the plan` });
  const sheet = replanPrompt(conversationOf(run), { plan: work.plan, defects, itemsMax: work.workers.length });
  const asked = { callId: `r${round}.${seat.id}.plan`, seat, purpose: 'plan', round } as const;
  work.savedCalls -= 1;
  const plan = await plannedBy(run, question(asked, sheet), {
    ...work.crew,
    implementers: implementers.slice(0, work.workers.length),
  });
  if (!plan) return;
  work.plan = plan;
  // A smaller plan leaves some without an item: what they did belongs to the old one.
  work.workers.splice(plan.items.length);
}

async function reviewedBy(run: Run, work: Work, round: number): Promise<WorkReview | undefined> {
  const { reviewer: seat } = work.crew;
  const asked = { callId: `r${round}.${seat.id}.review`, seat, purpose: 'review', round } as const;
  const sheet = reviewPrompt(conversationOf(run), { plan: work.plan, parts: partsOf(run, work) });
  const [reply] = await askAll(run, [question(asked, sheet)]);
  return reply?.text === undefined ? undefined : parseWorkReview(reply.text);
}

/** When no implementer delivered, the others answer the message themselves. */
async function standIn(run: Run, work: Work): Promise<void> {
  const others = run.request.panel.participants.filter((seat) => work.workers.every((worker) => worker.seat !== seat));
  const drafts = await draftInstead(run, others);
  work.plan = undefined;
  work.review = undefined;
  work.workers = numbered(run, drafts, undefined);
}

async function assemble(run: Run, work: Work): Promise<void> {
  const { plan, review, crew } = work;
  const workers = done(work);
  const open = review
    ? review.defects.map(({ item, text }) => run.mask(`${typeof item === 'number' ? `Part ${item}` : item}: ${text}`))
    : [];
  const titleOf = ({ number }: Worker): string => plan?.items[number - 1]?.title ?? 'the whole task';
  const alone = run.request.panel.participants.length === 1;
  await conclude(run, {
    offers: alone ? [] : workers.map((worker) => ({ ...worker, note: titleOf(worker) })),
    material: assembledParts(plan, { parts: partsOf(run, work), open }),
    names: new Map(),
    form: PARTS_ANALYSIS,
    answerTask: PARTS_ANSWER_TASK,
    known: [
      { title: 'Plan', lines: workers.map((worker) => `${worker.number}. ${titleOf(worker)} (${worker.seat.label})`) },
      { title: 'Review', lines: [reviewWords(review)] },
      { title: 'Open defects', lines: open },
    ],
    authors: [...longestFirst(workers), ...(review ? [crew.reviewer] : []), ...(plan ? [crew.strategist] : [])],
  });
}

function reviewWords(review: WorkReview | undefined): string {
  if (!review) return 'There was none.';
  return review.approved ? 'Approved.' : 'Not approved in the rounds played.';
}
