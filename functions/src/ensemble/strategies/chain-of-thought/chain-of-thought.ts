import { normalisedAnswer } from '../../../prompting/answer-line';
import { type AuthoredText, type Labelled, letterLabel, shuffled } from '../../../prompting/blind-labels';
import { DATA_RULE } from '../../../prompting/fence';
import type { PromptBlock } from '../../../prompting/prompt-draft';
import { answersAgree } from '../../agreement/answers-agree';
import { AGREEMENTS, type AnalysisForm, MAJORITY_RULE, MISSING } from '../../arbiter/analysis';
import type { Conclusion } from '../../arbiter/conclude';
import type { Section } from '../../arbiter/explanation';
import { anonymous, shownText } from '../../panel/contributors';
import type { Run } from '../../run';
import { CHANGE_RULE, statusWords, WORKING_WORDS } from '../../waves/task-words';
import { everybody, type Reply, type Round } from '../everybody';
import { parseChain, restate, type Solver, solverOf, unanimous } from './chain';

const STEPS =
  'in numbered steps, each short enough to check on its own, if there is something to work out or the user wants to see the steps; otherwise without steps';
const ANSWER_LINE =
  'the line "ANSWER: " with the final answer, as short as possible. If the answer is a longer text or code, write it in full above and only its gist on that line.';

/**
 * Chain of thought: everybody solves the message in numbered steps; in round k everybody checks the chain of the one
 * k−1 places further round the ring and states its own again. The arbiter decides by the steps, not by count.
 * Calls: n·r + 1 + v; serial waves: r + 1 + v. Sources: arXiv 2203.11171 (self-consistency), 2309.13007 (ReConcile).
 */
export const chainOfThought = everybody<Solver>(
  {
    title: 'checking each other’s steps',
    answersCount: true,
    start: (drafts) => drafts.map(solverOf),
    task: (round, solver) => {
      const peer = peerOf(round, solver);
      return checkTask(solver, peer === solver ? undefined : { ...peer, text: shownText(round.run, peer) });
    },
    read: readChecks,
    conclusion: decide,
  },
  { reads: 2, draftTask: [`Solve it ${STEPS}. End with ${ANSWER_LINE}`, WORKING_WORDS] },
);

function readChecks(round: Round<Solver>, replies: readonly Reply<Solver>[]): string | undefined {
  const read = replies.map(({ contributor: solver, text }) => ({ solver, chain: parseChain(text, solver.text) }));
  for (const { solver, chain } of read) {
    peerOf(round, solver).check = chain.check && { finding: chain.check.finding, by: solver.seat.id };
  }
  for (const { solver, chain } of read) restate(round.run, solver, chain);
  if (read.every(({ chain }) => chain.check?.verified)) return 'Every chain is verified';
  return unanimous(round.contributors) ? 'All final answers agree' : undefined;
}

/** Participant i checks (i + k − 1) mod n; the place of one that never answered is taken by the next that did. */
function peerOf({ run, contributors, round }: Round<Solver>, checker: Solver): Solver {
  const { participants } = run.request.panel;
  const start = (participants.indexOf(checker.seat) + round - 1) % participants.length;
  const ring = [...participants.slice(start), ...participants.slice(0, start)];
  const [peer = checker] = ring.flatMap((seat) => contributors.find((solver) => solver.seat === seat) ?? []);
  return peer;
}

function decide(run: Run, solvers: readonly Solver[]): Conclusion {
  const groups = chainGroups(run, solvers);
  const supportOf = ({ seat }: Solver) => groups.find((chains) => chains.some((chain) => chain.seat === seat))?.length;
  return {
    candidates: solvers,
    material: groupedChains(groups, run.mask),
    labelled: groups.flat(),
    form: CHAIN_ANALYSIS,
    answerTask: CHAIN_ANSWER_TASK,
    agreement: answersAgree(solvers.map(({ answer }) => answer && normalisedAnswer(answer))),
    known: foundSections(groups, solvers),
    authors: solvers.toSorted((a, b) => (supportOf(b) ?? 0) - (supportOf(a) ?? 0)).map(({ seat }) => seat),
  };
}

/** Chains with one final answer, in the arbiter's order. */
type ChainGroup = readonly (Solver & Labelled)[];

function answerOf([chain]: readonly Pick<Solver, 'answer'>[]): string {
  return chain?.answer ?? '(none stated)';
}

/** The groups as the arbiter is shown them: in an order in which size does not count, the labels in reading order. */
function chainGroups(run: Run, solvers: readonly Solver[]): ChainGroup[] {
  const grouped = Map.groupBy(anonymous(run, solvers), (solver) => normalisedAnswer(answerOf([solver])));
  let labels = 0;
  return shuffled([...grouped.values()], { requestId: run.id, reader: 'arbiter', step: 'groups' }).map((group) =>
    group.map((chain) => ({ ...chain, label: letterLabel(labels++) })),
  );
}

/** For people: the answers by support and who gave them, in request order, and what the checks found. */
function foundSections(groups: readonly ChainGroup[], solvers: readonly Solver[]): Section[] {
  const given = groups
    .toSorted((a, b) => b.length - a.length)
    .map((chains) => {
      const authors = solvers.filter(({ seat }) => chains.some((chain) => chain.seat === seat));
      return `${answerOf(chains)}: ${authors.map(({ seat }) => seat.label).join(', ')}`;
    });
  const checks = solvers.flatMap(({ seat, check }) => (check ? [`${seat.label}: ${check.finding}`] : []));
  return [
    { title: 'Final answers', lines: given },
    { title: 'Review', lines: checks },
  ];
}

type Author = Omit<AuthoredText, 'label'>;

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

function groupedChains(groups: readonly ChainGroup[], mask: (text: string) => string): PromptBlock[] {
  return [
    "Solutions to the user's problem, by anonymous authors, grouped by their final answer:",
    ...groups.flatMap((chains): PromptBlock[] => [
      {
        title: `final answer of ${chains.map(({ label }) => label).join(', ')}`,
        text: mask(answerOf(chains)),
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
