import { type Chain, type Check, normalisedAnswer, parseChain } from './chain';
import { type Player, replaceText } from './players';

/** A player with what its chain amounts to, and what its last checker found. */
export interface Solver extends Player {
  answer: string | undefined;
  check: Check | undefined;
}

/** A solver from its first reply. */
export function solverOf(player: Player): Solver {
  const { text, answer } = parseChain(player.text);
  return { ...player, text: text || player.text, answer, check: undefined };
}

/** A chain that comes back different is no longer the one that was checked. */
export function restate(player: Solver, { text, answer }: Chain): void {
  const changed = answer !== undefined && player.answer !== undefined && !sameAnswer(answer, player.answer);
  replaceText(player, text);
  player.answer = answer ?? player.answer;
  if (changed) player.check = undefined;
}

/** Whether several solvers have come to one answer; a single one has nobody to agree with. */
export function unanimous(solvers: readonly Solver[]): boolean {
  const [first, ...others] = solvers.map(({ answer }) => answer);
  if (first === undefined || others.length === 0) return false;
  return others.every((answer) => answer !== undefined && sameAnswer(answer, first));
}

function sameAnswer(one: string, other: string): boolean {
  return normalisedAnswer(one) === normalisedAnswer(other);
}
