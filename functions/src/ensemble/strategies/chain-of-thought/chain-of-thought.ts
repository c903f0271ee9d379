import { normalisedAnswer } from '../../../prompting/normalised-answer';
import { answersAgree } from '../../agreement/answers-agree';
import { conclude } from '../../arbiter/conclude';
import { callsOf, type StrategyCalls, wavesOfRounds } from '../../estimate/calls';
import { namesOf, shownText, stand } from '../../panel/contributors';
import type { Ending, EnsembleRequest, Run, Strategy } from '../../run';
import { draftAll, draftQuestion } from '../../waves/drafts';
import type { Question } from '../../waves/question';
import { askEach, playRounds } from '../../waves/rounds';
import { bySupport, chainGroups, foundSections, parseChain, restate, type Solver, solverOf, unanimous } from './chain';
import { CHAIN_ANALYSIS, CHAIN_ANSWER_TASK, CHAIN_TASK, checkTask, groupedChains } from './prompts';

/**
 * Chain of thought: everybody solves the message in numbered steps; in round k everybody checks the chain of the one
 * k−1 places further round the ring and states its own again. The arbiter decides by the steps, not by count.
 * Calls: n·r + 1 + v; serial waves: r + 1 + v. Sources: arXiv 2203.11171 (self-consistency), 2309.13007 (ReConcile).
 */
export const chainOfThought: Strategy = {
  calls: reasoningCalls,
  firstWave: (opening) => opening.request.panel.participants.map((seat) => draftQuestion(opening, seat, CHAIN_TASK)),
  play: solve,
};

/** Solutions; then everybody reads its own and one other's. */
function reasoningCalls({ panel: { participants }, rounds }: EnsembleRequest): StrategyCalls {
  const ring = participants.length;
  return {
    waves: [
      { round: 0, calls: callsOf(participants, 'draft', 0) },
      ...wavesOfRounds({ from: 2, rounds }, callsOf(participants, 'revise', Math.min(2, ring))),
    ],
    material: ring,
  };
}

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

/** One round of checks; says why nothing more is to be done, if so. */
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
