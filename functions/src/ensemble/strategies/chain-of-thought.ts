import { conclude } from '../arbiter';
import { askAll } from '../ask-all';
import { parseChain } from '../chain';
import { chainGroups, foundSections, judgedGroup, support } from '../chain-groups';
import { conversationOf } from '../conversation';
import type { Seat } from '../panel';
import { activePlayers, draftAll, namesOf, settleReplies } from '../players';
import {
  CHAIN_ANALYSIS,
  CHAIN_ANSWER_TASK,
  chainPrompt,
  checkPrompt,
  groupedChains,
} from '../prompts/chain-of-thought';
import { type Question, question } from '../question';
import { playRounds, timed } from '../rounds';
import type { EnsembleRequest, Run } from '../run';
import { restate, type Solver, solverOf, unanimous } from '../solver';
import type { Strategy } from './strategy';

/**
 * Chain of thought. Everyone solves the message in numbered steps that end in one comparable line; in round k each
 * checks the chain k−1 places further round the ring, step by step, and states its own again. The arbiter reads the
 * chains grouped by final answer, with the checks, and decides by correctness, not by count. Ends early when all
 * final answers agree after round 2 or later, or when all checks of a round find nothing wrong.
 *
 * Calls: n·r + 1 + v; serial waves: r + 1 + v. Sources: self-consistency 2203.11171, ReConcile 2309.13007.
 */
export const chainOfThought: Strategy = {
  waves: ({ rounds }) => rounds,
  judges: false,
  firstWave: (request, id) => request.panel.participants.map((seat) => chainQuestion(request, id, seat)),
  play: async (run) => {
    const worked = await timed(run, () => draftAll(run, chainOfThought.firstWave(run.request, run.id)));
    const solvers = worked.value.map((player) => solverOf(player));
    await playRounds(
      run,
      { from: 2, title: 'checking each other’s steps', lastMs: worked.lastMs, players: solvers },
      (round) => checkRound(run, solvers, round),
    );
    await decide(run, solvers);
  },
};

interface Checking extends Question {
  readonly player: Solver;
  readonly checked: Solver;
}

/** One round of checks; says why nothing more is to be done, if so. */
async function checkRound(run: Run, solvers: readonly Solver[], round: number): Promise<string | undefined> {
  const asked = activePlayers(solvers).map((player) => checkQuestion(run, { player, solvers, round }));
  const answered = settleReplies(await askAll(run, asked)).map((reply) => ({
    ...reply,
    chain: parseChain(reply.text),
  }));
  for (const {
    question: { checked },
    chain,
  } of answered)
    checked.check = chain.check;
  for (const {
    question: { player },
    chain,
  } of answered)
    restate(player, chain);
  if (answered.length < asked.length) return undefined;
  if (answered.every(({ chain }) => chain.check?.verified === true)) return 'Every chain is verified';
  return unanimous(solvers) ? 'All final answers agree' : undefined;
}

interface CheckTurn {
  readonly player: Solver;
  readonly solvers: readonly Solver[];
  readonly round: number;
}

function checkQuestion(run: Run, { player, solvers, round }: CheckTurn): Checking {
  const { seat, text: own } = player;
  const checked = peerOf(run, { player, solvers, round });
  const peer = checked === player ? undefined : run.mask(checked.text);
  const sheet = checkPrompt(conversationOf(run), own, peer);
  const asked = { callId: `r${round}.${seat.id}`, seat, purpose: 'revise', round, player, checked } as const;
  return question(asked, sheet);
}

/** Participant i checks (i + k − 1) mod n; the place of one that never answered is taken by the next who did. */
function peerOf(run: Run, { player, solvers, round }: CheckTurn): Solver {
  const { participants } = run.request.panel;
  const start = participants.indexOf(player.seat) + round - 1;
  for (let step = 0; step < participants.length; step += 1) {
    const seat = participants[(start + step) % participants.length];
    const solver = solvers.find((candidate) => candidate.seat === seat);
    if (solver) return solver;
  }
  return player;
}

async function decide(run: Run, solvers: readonly Solver[]): Promise<void> {
  const groups = chainGroups(run, solvers);
  const labelled = groups.flatMap(({ chains }) => chains);
  const bySupport = [...solvers].sort((a, b) => support(groups, b) - support(groups, a));
  await conclude(run, {
    offers: solvers,
    material: groupedChains(groups.map((group) => judgedGroup(run, group))),
    names: namesOf(labelled),
    form: CHAIN_ANALYSIS,
    answerTask: CHAIN_ANSWER_TASK,
    known: foundSections(groups, solvers),
    authors: bySupport.map(({ seat }) => seat),
  });
}

function chainQuestion(request: EnsembleRequest, id: string, seat: Seat): Question {
  const asked = { callId: `r1.${seat.id}`, seat, purpose: 'draft', round: 1 } as const;
  return question(asked, chainPrompt(conversationOf({ id, request })));
}
