import { type Labelled, letterLabel, shuffled } from '../anonymise';
import { conclude } from '../arbiter';
import { askAll } from '../ask-all';
import { type Chain, type Check, normalisedAnswer, parseChain } from '../chain';
import { conversationOf } from '../conversation';
import type { Section } from '../explanation';
import type { Seat } from '../panel';
import {
  activePlayers,
  anonymous,
  draftAll,
  longestFirst,
  namesOf,
  type Player,
  replaceText,
  settleReplies,
} from '../players';
import {
  CHAIN_ANALYSIS,
  CHAIN_ANSWER_TASK,
  chainPrompt,
  checkPrompt,
  groupedChains,
  type JudgedGroup,
} from '../prompts/chain-of-thought';
import { type Question, question } from '../question';
import { playRounds, timed } from '../rounds';
import type { EnsembleRequest, Run } from '../run';
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

/** A player with what its chain amounts to, and what its last checker found. */
interface Solver extends Player {
  answer: string | undefined;
  check: Check | undefined;
}

interface Checking extends Question {
  readonly player: Solver;
  readonly checked: Solver;
}

function solverOf(player: Player): Solver {
  const { text, answer } = parseChain(player.text);
  return { ...player, text: text || player.text, answer, check: undefined };
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

/** A chain that comes back different is no longer the one that was checked. */
function restate(player: Solver, { text, answer }: Chain): void {
  const changed = answer !== undefined && player.answer !== undefined && !sameAnswer(answer, player.answer);
  replaceText(player, text);
  player.answer = answer ?? player.answer;
  if (changed) player.check = undefined;
}

function unanimous(solvers: readonly Solver[]): boolean {
  const [first, ...others] = solvers.map(({ answer }) => answer);
  if (first === undefined || others.length === 0) return false;
  return others.every((answer) => answer !== undefined && sameAnswer(answer, first));
}

function sameAnswer(one: string, other: string): boolean {
  return normalisedAnswer(one) === normalisedAnswer(other);
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
  const groups = groupsFor(run, solvers);
  const labelled = groups.flatMap(({ chains }) => chains);
  const bySupport = [...solvers].sort((a, b) => support(groups, b) - support(groups, a));
  await conclude(run, {
    offers: solvers,
    material: groupedChains(groups.map((group) => judged(run, group))),
    names: namesOf(labelled),
    form: CHAIN_ANALYSIS,
    answerTask: CHAIN_ANSWER_TASK,
    known: foundSections(groups, solvers),
    authors: bySupport.length > 0 ? bySupport.map(({ seat }) => seat) : longestFirst(solvers),
  });
}

type LabelledSolver = Solver & Labelled;

/** Chains with one final answer, in the arbiter's order. */
interface Group {
  readonly answer: string;
  readonly chains: LabelledSolver[];
}

const NO_ANSWER = '(none stated)';

/** The groups as the arbiter is shown them: in an order in which size does not count, the labels in reading order. */
function groupsFor(run: Run, solvers: readonly Solver[]): Group[] {
  const grouped = groupsOf(anonymous(run, solvers, { reader: 'arbiter', step: 'final' }));
  const groups = shuffled(grouped, { requestId: run.id, reader: 'arbiter', step: 'groups' });
  const place = new Map(groups.flatMap(({ chains }) => chains).map(({ seat }, index) => [seat, index]));
  return groups.map(({ answer, chains }) => ({
    answer,
    chains: chains.map((chain) => ({ ...chain, label: letterLabel(place.get(chain.seat) ?? 0) })),
  }));
}

function groupsOf(solvers: readonly LabelledSolver[]): Group[] {
  const groups = new Map<string, Group>();
  for (const solver of solvers) {
    const answer = solver.answer ?? NO_ANSWER;
    const key = normalisedAnswer(answer);
    const group = groups.get(key) ?? { answer, chains: [] };
    group.chains.push(solver);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function support(groups: readonly Group[], { seat }: { readonly seat: Seat }): number {
  return groups.find(({ chains }) => chains.some((chain) => chain.seat === seat))?.chains.length ?? 0;
}

function judged(run: Run, { answer, chains }: Group): JudgedGroup {
  return {
    answer: run.mask(answer),
    chains: chains.map(({ label, text, check }) => ({ label, text, check: check && run.mask(check.finding) })),
  };
}

/** For people: the answers by support, and who gave them, in request order. */
function foundSections(groups: readonly Group[], solvers: readonly Solver[]): Section[] {
  const bySize = [...groups].sort((a, b) => b.chains.length - a.chains.length);
  const checked = solvers.filter(({ check }) => check !== undefined);
  const given = ({ chains }: Group): string =>
    solvers
      .filter(({ seat }) => chains.some((chain) => chain.seat === seat))
      .map(({ seat }) => seat.label)
      .join(', ');
  return [
    {
      title: 'Final answers',
      lines: bySize.map((group) => `${group.answer}: ${given(group)}`),
    },
    { title: 'Checks', lines: checked.map(({ seat, check }) => `${seat.label}: ${check?.finding}`) },
  ];
}

function chainQuestion(request: EnsembleRequest, id: string, seat: Seat): Question {
  const asked = { callId: `r1.${seat.id}`, seat, purpose: 'draft', round: 1 } as const;
  return question(asked, chainPrompt(conversationOf({ id, request })));
}
