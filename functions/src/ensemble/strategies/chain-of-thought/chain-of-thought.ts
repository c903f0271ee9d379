import { normalisedAnswer } from '../../../prompting/answer-line';
import type { AuthoredText } from '../../../prompting/blind-labels';
import { DATA_RULE } from '../../../prompting/fence';
import type { PromptBlock } from '../../../prompting/prompt-draft';
import { answersAgree } from '../../agreement/answers-agree';
import { AGREEMENTS, type AnalysisForm, MAJORITY_RULE, MISSING } from '../../arbiter/analysis';
import { conclude } from '../../arbiter/conclude';
import { everybodyReads } from '../../estimate/calls';
import { namesOf, shownText, stand } from '../../panel/contributors';
import type { Ending, Run, Strategy } from '../../run';
import { draftAll, draftQuestion } from '../../waves/drafts';
import type { Question } from '../../waves/question';
import { askEach, playRounds } from '../../waves/rounds';
import { CHANGE_RULE, statusWords, WORKING_WORDS } from '../../waves/task-words';
import {
  bySupport,
  type ChainGroup,
  chainGroups,
  foundSections,
  parseChain,
  restate,
  type Solver,
  solverOf,
  unanimous,
} from './chain';

/**
 * Chain of thought: everybody solves the message in numbered steps; in round k everybody checks the chain of the one
 * k−1 places further round the ring and states its own again. The arbiter decides by the steps, not by count.
 * Calls: n·r + 1 + v; serial waves: r + 1 + v. Sources: arXiv 2203.11171 (self-consistency), 2309.13007 (ReConcile).
 */
export const chainOfThought: Strategy = {
  calls: ({ panel, rounds }) => everybodyReads(panel, rounds, 2),
  firstWave: (opening) => opening.request.panel.participants.map((seat) => draftQuestion(opening, seat, CHAIN_TASK)),
  play: solve,
};

async function solve(run: Run, firstWave: readonly Question[]): Promise<Ending> {
  const startedMs = run.clock.nowMs();
  const drafted = await draftAll(run, firstWave);
  const solvers = stand(run, drafted.map(solverOf));
  await playRounds(run, { title: 'checking each other’s steps', startedMs, contributors: solvers }, (round) =>
    checkRound(run, solvers, round),
  );
  const groups = chainGroups(run, solvers);
  return conclude(run, {
    candidates: solvers,
    material: groupedChains(groups, run.mask),
    names: namesOf(groups.flatMap(({ chains }) => chains)),
    form: CHAIN_ANALYSIS,
    answerTask: CHAIN_ANSWER_TASK,
    agreement: answersAgree(solvers.map(({ answer }) => answer && normalisedAnswer(answer))),
    known: foundSections(groups, solvers),
    authors: bySupport(groups, solvers).map(({ seat }) => seat),
  });
}

async function checkRound(run: Run, solvers: readonly Solver[], round: number): Promise<string | undefined> {
  const checkedBy = (solver: Solver): Solver => peerOf(run, solver, { solvers, round });
  const { replies, complete } = await askEach(run, solvers, {
    round,
    task: (solver) => {
      const checked = checkedBy(solver);
      return checkTask(solver, checked === solver ? undefined : { ...checked, text: shownText(run, checked) });
    },
  });
  const chains = replies.map(({ contributor, text }) => ({ contributor, chain: parseChain(text, contributor.text) }));
  for (const { contributor, chain } of chains) {
    checkedBy(contributor).check = chain.check && { ...chain.check, by: contributor.seat.id };
  }
  for (const { contributor, chain } of chains) restate(run, contributor, chain);
  if (!complete) return undefined;
  if (chains.every(({ chain }) => chain.check?.verified)) return 'Every chain is verified';
  return unanimous(solvers) ? 'All final answers agree' : undefined;
}

/** Participant i checks (i + k − 1) mod n; the place of one that never answered is taken by the next that did. */
function peerOf(
  run: Run,
  checker: Solver,
  { solvers, round }: { readonly solvers: readonly Solver[]; readonly round: number },
): Solver {
  const { participants } = run.request.panel;
  const start = (participants.indexOf(checker.seat) + round - 1) % participants.length;
  const ring = [...participants.slice(start), ...participants.slice(0, start)];
  const [peer = checker] = ring.flatMap((seat) => solvers.find((solver) => solver.seat === seat) ?? []);
  return peer;
}

const STEPS =
  'in numbered steps, each short enough to check on its own, if there is something to work out or the user wants to see the steps; otherwise without steps';
const ANSWER_LINE =
  'the line "ANSWER: " with the final answer, as short as possible. If the answer is a longer text or code, write it in full above and only its gist on that line.';

/** Round 1: visible, numbered steps where they help, and a final line that can be compared. */
const CHAIN_TASK = [`Solve it ${STEPS}. End with ${ANSWER_LINE}`, WORKING_WORDS];

type Author = Omit<AuthoredText, 'label'>;

/** Round 2 and later: check one other chain step by step, then correct your own, if need be. */
function checkTask(own: Author, peer: Author | undefined): PromptBlock[] {
  return [
    'Your solution so far:',
    { title: 'yours', text: own.text, by: own.seat.id },
    ...(peer === undefined
      ? []
      : ['The solution of another author:', { title: 'theirs', text: peer.text, by: peer.seat.id }]),
    DATA_RULE,
    `Check ${peer === undefined ? 'your solution as a stranger would' : 'theirs'} step by step, and name the first step that is wrong, if any is. Then check your own. ${CHANGE_RULE}`,
    `${statusWords('your whole corrected solution', '', TWO_LINES)} Write it ${STEPS}, and end with ${ANSWER_LINE}`,
    WORKING_WORDS,
  ];
}

/** The chains, grouped by their final answer, with what their checkers found; `mask` hides names of models. */
function groupedChains(groups: readonly ChainGroup[], mask: (text: string) => string): PromptBlock[] {
  return [
    "Solutions to the user's problem, by anonymous authors, grouped by their final answer:",
    ...groups.flatMap(({ answer, chains }): PromptBlock[] => [
      {
        title: `final answer of ${chains.map(({ label }) => label).join(', ')}`,
        text: mask(answer),
        by: chains.map(({ seat }) => seat.id),
      },
      ...chains.flatMap(({ label, text, check, seat }): PromptBlock[] => [
        { title: label, text, by: seat.id },
        ...(check ? [{ title: `check of ${label}`, text: mask(check.finding), minor: true, by: check.by }] : []),
      ]),
    ]),
  ];
}

/** Form of the arbiter's analysis of chains. @internal */
export const CHAIN_ANALYSIS: AnalysisForm = {
  ranked: true,
  parts: [
    AGREEMENTS,
    { key: 'errors', title: 'First wrong steps', ask: 'each wrong solution: label, first wrong step, and why' },
    { key: 'dissent', title: 'Dissent', ask: 'other final answers that may be right, and what they rest on' },
    MISSING,
  ],
};

const CHAIN_ANSWER_TASK = [
  `Follow the steps and decide which final answer is right. ${MAJORITY_RULE} Then answer the user. Show steps only if the user wants them or the answer cannot be followed without them: only those needed, all correct, and the final answer plainly at the end.`,
];

const TWO_LINES =
  'Begin with two lines for the service, in these English words. The first: "CHECK: verified" if every step you checked is right, or "CHECK: step N: " and what is wrong with it. The second: ';
