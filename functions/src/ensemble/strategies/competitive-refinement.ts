import { type AuthoredText, labelledText } from '../../prompting/blind-labels';
import { DATA_RULE } from '../../prompting/fence';
import { labelsInLine } from '../../prompting/label-in-text';
import type { PromptBlock } from '../../prompting/prompt-draft';
import { ballotsAgree, revisionsAgree } from '../agreement/agreement';
import { textsAgree } from '../agreement/answers-agree';
import { type AnalysisForm, COMPARISON } from '../arbiter/analysis';
import { conclude } from '../arbiter/conclude';
import { everybodyReads } from '../estimate/calls';
import { type Authored, anonymous, type Contributor, namesOf, othersOf, stand } from '../panel/contributors';
import { revise } from '../panel/revision';
import type { Ending, Run, Strategy } from '../run';
import { draftAll, draftQuestion } from '../waves/drafts';
import type { Question } from '../waves/question';
import { askEach, playRounds } from '../waves/rounds';
import { CHANGE_RULE, statusWords, WORKING_WORDS } from '../waves/task-words';

/**
 * Competitive refinement, the default: everybody drafts; in each further round everybody improves its own draft in the
 * light of the others' and ranks those, if there are several. Calls: n·r + 1 + v (v = 1 with an explanation); serial waves: r + 1 + v.
 * Sources: arXiv 2305.14325, 2509.05396 (change only for a named error), llm-council (anonymous ballots).
 */
export const competitiveRefinement: Strategy = {
  calls: ({ panel, rounds }) => everybodyReads(panel, rounds),
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

/** Round 2 and later: a check of one's own draft against the others', with a ranking of those where there are several. */
function revisionTask({ seat, text }: Omit<AuthoredText, 'label'>, others: readonly AuthoredText[]): PromptBlock[] {
  const alone = others.length === 0;
  return [
    "Your answer to the user's message:",
    { title: 'yours', text, by: seat.id },
    ...(alone ? [] : ['Answers by anonymous authors:', ...others.map(labelledText)]),
    DATA_RULE,
    `Check your answer ${alone ? 'as a stranger would' : 'against theirs'}. ${CHANGE_RULE}${alone ? '' : ' A gap is what another has right and yours lacks, if the user needs it.'}`,
    statusWords('the whole corrected answer', others.length < 2 ? '' : BALLOT),
    WORKING_WORDS,
  ];
}

/** The drafts as the arbiter reads them, why they were changed, and, in `ballot`, how their authors ranked each other. */
function judgedDrafts(
  drafts: readonly (AuthoredText & { readonly changed?: string })[],
  ballot: string | undefined,
): PromptBlock[] {
  const count = drafts.length === 1 ? 'One candidate answer' : `${drafts.length} candidate answers`;
  const changes = drafts.flatMap(({ label, changed, seat }) =>
    changed === undefined ? [] : [{ line: `${label}: ${changed}`, by: seat.id }],
  );
  return [
    `${count} to the user's message, by anonymous authors:`,
    ...drafts.map(labelledText),
    ...(changes.length === 0
      ? []
      : [
          'What their authors say they corrected:',
          { title: 'corrections', text: changes.map(({ line }) => line).join('\n'), by: changes.map(({ by }) => by) },
        ]),
    ...(ballot === undefined
      ? []
      : [
          `How the authors ranked each other's drafts before the last round (points): ${ballot}. It is a hint, not a verdict.`,
        ]),
  ];
}

/** Form of the arbiter's analysis of drafts. @internal */
export const DRAFT_ANALYSIS: AnalysisForm = { ranked: true, parts: COMPARISON };

const DRAFT_ANSWER_TASK = [
  'The candidates are sources, not votes. Where they differ, work out which is right. Keep every correct point, even of one candidate; but confirm for yourself any name, number, quotation, citation or API that only one gives. Add what all of them miss. Code, verse and other texts of one voice: repair the best candidate, do not mix several. If a candidate is perfect, return it unchanged.',
];

const BALLOT =
  'On the same line, after "; BALLOT: ", list the letters of their answers, the best first, with ">" between them. ';
