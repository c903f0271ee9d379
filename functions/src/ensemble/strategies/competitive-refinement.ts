import { type AuthoredText, labelledText } from '../../prompting/blind-labels';
import { DATA_RULE } from '../../prompting/fence';
import { labelsInLine } from '../../prompting/label-in-text';
import type { PromptBlock } from '../../prompting/prompt-draft';
import { ballotsAgree, revisionsAgree } from '../agreement/agreement';
import { textsAgree } from '../agreement/answers-agree';
import { type AnalysisForm, COMPARISON } from '../arbiter/analysis';
import type { Conclusion } from '../arbiter/conclude';
import { anonymous, type Contributor } from '../panel/contributors';
import { revise } from '../panel/revision';
import type { Run } from '../run';
import { CHANGE_RULE, statusWords, WORKING_WORDS } from '../waves/task-words';
import { everybody, othersOf, type Reply, type Round } from './everybody';

/** A participant with its vote of the last round: seats of others, from best to worst. */
interface Rival extends Contributor {
  ballot: readonly string[];
}

/**
 * Competitive refinement, the default: everybody drafts; in each further round everybody improves its own draft in the
 * light of the others' and ranks those, if there are several. Calls: n·r + 1 + v (v = 1 with an explanation); serial waves: r + 1 + v.
 * Sources: arXiv 2305.14325, 2509.05396 (change only for a named error), llm-council (anonymous ballots).
 */
export const competitiveRefinement = everybody<Rival>(
  {
    title: 'refining the drafts',
    answersCount: true,
    start: (drafts) => drafts.map((draft) => ({ ...draft, ballot: [] })),
    task: (round, rival) => revisionTask(rival, othersOf(round, rival)),
    read: readRevisions,
    conclusion: decide,
  },
  { direct: true, plainDrafts: true },
);

function readRevisions(round: Round<Rival>, replies: readonly Reply<Rival>[]): string | undefined {
  const { run, contributors } = round;
  for (const rival of contributors) rival.ballot = [];
  const revisions = replies.map((reply) => {
    const { contributor: rival, text, said } = revise(run, reply, ['BALLOT']);
    const others = new Map(othersOf(round, rival).map(({ label, seat }) => [label, seat.id]));
    // One other has no rank; such a vote was not asked for.
    const ranking = others.size < 2 ? [] : labelsInLine(said.BALLOT ?? '');
    rival.ballot = ranking.flatMap((label) => others.get(label) ?? []);
    if (rival.ballot.length > 0) run.observer?.ranked(`r${round.round}.${rival.seat.id}`, rival.ballot);
    return text;
  });
  return revisions.every((text) => text === '') ? 'All drafts stand' : undefined;
}

function decide(run: Run, rivals: readonly Rival[]): Conclusion {
  const ballots = rivals.map(({ ballot }) => ballot).filter((ballot) => ballot.length > 0);
  const points = bordaPoints(ballots);
  const pointsOf = ({ seat }: Contributor) => points.get(seat.id) ?? 0;
  const byPoints = (a: Contributor, b: Contributor) => pointsOf(b) - pointsOf(a);
  const ranked = rivals.toSorted(byPoints);
  const [best, second] = ranked;
  const isBest = best && points.size > 0 && (!second || pointsOf(best) > pointsOf(second));
  const drafts = anonymous(run, rivals);
  const ranking = drafts.toSorted(byPoints).map((draft) => `${draft.label} ${Number(pointsOf(draft).toFixed(2))}`);
  return {
    candidates: rivals,
    material: judgedDrafts(drafts, points.size > 0 ? ranking.join(', ') : ''),
    labelled: drafts,
    form: DRAFT_ANALYSIS,
    answerTask: DRAFT_ANSWER_TASK,
    agreement: textsAgree(rivals, run.request.answerForm) ?? ballotsAgree(ballots) ?? revisionsAgree(rivals),
    authors: ranked.map(({ seat }) => seat),
    ...(isBest && { winner: best.seat.id }),
  };
}

/** Borda points, 0 to 1 a ballot: best 1, worst 0, evenly between; a ballot of one gives its only name 1. @internal */
export function bordaPoints(ballots: readonly (readonly string[])[]): Map<string, number> {
  const points = new Map<string, number>();
  for (const ballot of ballots) {
    const ranked = [...new Set(ballot)];
    for (const [rank, seat] of ranked.entries()) {
      const point = ranked.length === 1 ? 1 : 1 - rank / (ranked.length - 1);
      points.set(seat, (points.get(seat) ?? 0) + point);
    }
  }
  return points;
}

function revisionTask({ seat, text }: Contributor, others: readonly AuthoredText[]): PromptBlock[] {
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

const BALLOT =
  'On the same line, after "; BALLOT: ", list the letters of their answers, the best first, with ">" between them. ';

/** The drafts as the arbiter reads them, why they were changed, and, in `ranking`, what points their authors gave. */
function judgedDrafts(drafts: readonly (AuthoredText & Contributor)[], ranking: string): PromptBlock[] {
  const count = drafts.length === 1 ? 'One candidate answer' : `${drafts.length} candidate answers`;
  const changed = drafts.filter((draft) => draft.changed !== undefined);
  const corrections = changed.map((draft) => `${draft.label}: ${draft.changed}`).join('\n');
  return [
    `${count} to the user's message, by anonymous authors:`,
    ...drafts.map(labelledText),
    ...(changed.length === 0
      ? []
      : [
          'What their authors say they corrected:',
          { title: 'corrections', text: corrections, by: changed.map(({ seat }) => seat.id) },
        ]),
    ...(ranking === ''
      ? []
      : [
          `How the authors ranked each other's drafts before the last round (points): ${ranking}. It is a hint, not a verdict.`,
        ]),
  ];
}

/** Form of the arbiter's analysis of drafts. @internal */
export const DRAFT_ANALYSIS: AnalysisForm = { ranked: true, parts: COMPARISON };

const DRAFT_ANSWER_TASK = [
  'The candidates are sources, not votes: one that lacks a point says nothing against it. Where they differ, work out which is right. Keep every correct point, even of one candidate; but confirm for yourself any name, number, quotation, citation or API that only one gives. Add what all of them miss. Code, verse and other texts of one voice: repair the best candidate, do not mix several. If a candidate is perfect, return it unchanged.',
];
