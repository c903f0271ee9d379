import type { CallPurpose } from '../../models/model';
import type { AnswerChecks } from '../checks/answer-checks';
import { cheapestFirst, type Panel, type Seat } from '../panel/panel';

/** Call that a strategy means to make. */
export interface ExpectedCall {
  readonly seat: Seat;
  readonly purpose: CallPurpose;
  /** Number of participants' texts in its prompt. */
  readonly reads: number;
}

/** Calls side by side. */
export interface Wave {
  /** Round as `playRounds` counts it, for a wave that can be left out; 0: the run cannot do without it. */
  readonly round: number;
  readonly calls: readonly ExpectedCall[];
}

/** All calls of a strategy when nothing stops it early, in order. */
export interface StrategyCalls {
  /** Waves before the arbiter's own calls. */
  readonly waves: readonly Wave[];
  /** Number of participants' texts that the answer is made from. */
  readonly material: number;
  /** Times that the arbiter reads them before it writes, side by side, with or without an explanation. Default: 0. */
  readonly verdicts?: number;
}

/** All calls of a run when nothing stops it early: those of its strategy, then the arbiter's. */
export type RunCalls = ReturnType<typeof callsOfRun>;

/** Options of a request that decide the arbiter's calls. */
interface ClosingOptions {
  readonly panel: Panel;
  readonly includeExplanation: boolean;
  readonly includeFollowUps: boolean;
  readonly checks?: Pick<AnswerChecks, 'repairs'>;
}

/** Calls of a request, with prices of `atMs`. */
export function callsOfRun(
  { panel, includeExplanation, includeFollowUps, checks }: ClosingOptions,
  { waves, material, verdicts = 0 }: StrategyCalls,
  atMs: number,
) {
  const { arbiter, participants } = panel;
  const readings = verdicts > 0 ? verdicts : Number(includeExplanation && material > 0);
  const read = Array.from({ length: readings }, () => callsOf([arbiter], 'analyse', material)).flat();
  const answer: Wave = { round: 0, calls: callsOf([arbiter], 'answer', material) };
  const suggesters = includeFollowUps ? cheapestFirst([arbiter, ...participants], atMs).slice(0, 1) : [];
  const followUps = callsOf(suggesters, 'follow_ups', Math.min(1, material));
  /** Calls of the arbiter before it writes: a verdict, or else a comparison. */
  const reading: readonly Wave[] = read.length > 0 ? [{ round: 0, calls: read }] : [];
  /** Second answer, where the first fails its checks: the arbiter reads its own once more. */
  const again = { round: 0, calls: callsOf([arbiter], 'answer', material + 1) };
  const repair: readonly Wave[] = checks?.repairs ? [again] : [];
  /** Reading, answer with follow-ups beside it, and repair. */
  const closing: readonly Wave[] = [...reading, { round: 0, calls: [...answer.calls, ...followUps] }, ...repair];
  return { waves, reading, judges: verdicts > 0, answer, followUps, repair, closing };
}

/** Calls of several waves. */
export function callsIn(waves: readonly Wave[]): ExpectedCall[] {
  return waves.flatMap(({ calls }) => calls);
}

/** The same kind of call for each of these seats. */
export function callsOf(seats: readonly Seat[], purpose: CallPurpose, reads: number): ExpectedCall[] {
  return seats.map((seat) => ({ seat, purpose, reads }));
}

/** Waves of each round from `from` to `rounds`. */
export function wavesOfRounds(
  { from, rounds }: { readonly from: number; readonly rounds: number },
  ...waves: readonly (readonly ExpectedCall[])[]
): Wave[] {
  const numbers = Array.from({ length: Math.max(0, rounds - from + 1) }, (_, index) => from + index);
  return numbers.flatMap((round) => waves.map((calls) => ({ round, calls })));
}

/** First texts; then in each round everybody reads all of them, or at most `reads`. */
export function everybodyReads(
  { participants }: Pick<Panel, 'participants'>,
  rounds: number,
  reads = Infinity,
): StrategyCalls {
  const everybody = participants.length;
  return {
    waves: [
      { round: 0, calls: callsOf(participants, 'draft', 0) },
      ...wavesOfRounds({ from: 2, rounds }, callsOf(participants, 'revise', Math.min(reads, everybody))),
    ],
    material: everybody,
  };
}
