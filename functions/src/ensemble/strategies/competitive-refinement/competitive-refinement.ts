import { labelsInLine } from '../../../prompting/label-in-text';
import { ballotsAgree, revisionsAgree } from '../../agreement/agreement';
import { textsAgree } from '../../agreement/answers-agree';
import { conclude } from '../../arbiter/conclude';
import { everybodyReadsAll } from '../../estimate/calls';
import { type Authored, anonymous, type Contributor, namesOf, othersOf, stand } from '../../panel/contributors';
import { revise } from '../../panel/revision';
import type { Ending, Run, Strategy } from '../../run';
import { draftAll, draftQuestion } from '../../waves/drafts';
import type { Question } from '../../waves/question';
import { askEach, playRounds } from '../../waves/rounds';
import { DRAFT_ANALYSIS, DRAFT_ANSWER_TASK, judgedDrafts, revisionTask } from './prompts';

/**
 * Competitive refinement, the default: everybody drafts; in each further round everybody improves its own draft in the
 * light of the others' and ranks those, if there are several. Calls: n·r + 1 + v (v = 1 with an explanation); serial waves: r + 1 + v.
 * Sources: arXiv 2305.14325, 2509.05396 (change only for a named error), llm-council (anonymous ballots).
 */
export const competitiveRefinement: Strategy = {
  calls: ({ panel, rounds }) => everybodyReadsAll(panel, rounds),
  direct: true,
  firstWave: (opening) => opening.request.panel.participants.map((seat) => draftQuestion(opening, seat)),
  play: refine,
};

async function refine(run: Run, firstWave: readonly Question[]): Promise<Ending> {
  const startedMs = run.clock.nowMs();
  const contributors = stand(run, await draftAll(run, firstWave));
  let ballots: Ballot[] = [];
  await playRounds(run, { title: 'refining the drafts', startedMs, contributors }, async (round) => {
    const revised = await reviseAll(run, contributors, round);
    ballots = revised.ballots;
    return revised.allKept ? 'All drafts stand' : undefined;
  });
  return decide(run, contributors, ballots);
}

async function reviseAll(run: Run, contributors: readonly Contributor[], round: number) {
  const shownTo = (contributor: Contributor) => othersOf(run, contributors, { contributor, round });
  const { replies, complete } = await askEach(run, contributors, {
    round,
    task: (contributor) => revisionTask(contributor, shownTo(contributor)),
  });
  const revisions = replies.map((reply) => {
    const { contributor, text, said } = revise(run, reply, ['BALLOT']);
    const others = new Map(shownTo(contributor).map(({ label, seat }) => [label, seat.id]));
    // One other has no rank; such a vote was not asked for.
    const ranking = others.size < 2 ? [] : labelsInLine(said.BALLOT ?? '');
    const ballot = ranking.flatMap((label) => others.get(label) ?? []);
    if (ballot.length > 0) run.observer?.ranked(`r${round}.${contributor.seat.id}`, ballot);
    return { kept: text === '', ballot };
  });
  return {
    ballots: revisions.map(({ ballot }) => ballot).filter((ballot) => ballot.length > 0),
    allKept: complete && revisions.every(({ kept }) => kept),
  };
}

function decide(run: Run, contributors: readonly Contributor[], ballots: readonly Ballot[]): Promise<Ending> {
  const points = bordaPoints(ballots);
  const scoreOf = ({ seat }: Authored): number => points.get(seat.id) ?? 0;
  const byScore = (a: Authored, b: Authored): number => scoreOf(b) - scoreOf(a);
  const drafts = anonymous(run, contributors);
  const [best, second] = contributors.toSorted(byScore);
  const isBest = best && (!second || scoreOf(best) > scoreOf(second));
  const ballot = drafts.toSorted(byScore).map((draft) => `${draft.label} ${Number(scoreOf(draft).toFixed(2))}`);
  return conclude(run, {
    candidates: contributors,
    material: judgedDrafts(drafts, points.size > 0 ? ballot.join(', ') : undefined),
    names: namesOf(drafts),
    form: DRAFT_ANALYSIS,
    answerTask: DRAFT_ANSWER_TASK,
    agreement:
      textsAgree(contributors, run.request.answerForm) ?? ballotsAgree(ballots) ?? revisionsAgree(contributors),
    authors: contributors.toSorted(byScore).map(({ seat }) => seat),
    ...(isBest && points.size > 0 && { winner: best.seat.id }),
  });
}

/** One reader's vote: seat ids from best to worst. No seat is on its own ballot. */
type Ballot = readonly string[];

/** Borda points, 0 to 1 a ballot: best 1, worst 0, evenly between; a ballot of one gives its only name 1. @internal */
export function bordaPoints(ballots: readonly Ballot[]): Map<string, number> {
  const points = new Map<string, number>();
  for (const ballot of ballots) {
    const ranked = [...new Set(ballot)];
    for (const [rank, seatId] of ranked.entries()) {
      const point = ranked.length === 1 ? 1 : 1 - rank / (ranked.length - 1);
      points.set(seatId, (points.get(seatId) ?? 0) + point);
    }
  }
  return points;
}
