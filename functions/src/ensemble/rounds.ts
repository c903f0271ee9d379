import { degrade } from './degrade';
import { activePlayers, type Player } from './players';
import type { Run } from './run';

/** Which rounds are to be played, and how to call them. */
export interface RoundsPlan {
  readonly from: number;
  /** What happens in a round, e.g. `refining the drafts`. */
  readonly title: string;
  /** How long the step before took: the best guess for the first of these rounds. */
  readonly lastMs: number;
  /** Who is asked; when nobody is worth asking any more there are no further rounds. */
  readonly players: readonly Player[];
}

/**
 * Plays rounds up to the request's number. Ends early when `play` gives a reason (an explicit signal of the models,
 * in words for people), or when another round would not fit the time. Returns the last round played.
 */
export async function playRounds(
  run: Run,
  plan: RoundsPlan,
  play: (round: number) => Promise<string | undefined>,
): Promise<number> {
  const { rounds } = run.request;
  let lastMs = plan.lastMs;
  for (let round = plan.from; round <= rounds; round += 1) {
    if (run.signal.aborted || activePlayers(plan.players).length === 0) return round - 1;
    if (!run.deadline.fitsRound(lastMs)) {
      degrade(run, `Stopped after round ${round - 1} of ${rounds}: not enough time for another`);
      return round - 1;
    }
    run.emit({ type: 'status', text: `Round ${round} of ${rounds}: ${plan.title}` });
    const startedMs = run.clock.nowMs();
    const settled = await play(round);
    lastMs = run.clock.nowMs() - startedMs;
    if (settled !== undefined) {
      if (round < rounds) run.emit({ type: 'status', text: `${settled} after round ${round} of ${rounds}` });
      return round;
    }
  }
  return rounds;
}

/** Plays a step and tells how long it took. */
export async function timed<T>(run: Run, step: () => Promise<T>): Promise<{ value: T; lastMs: number }> {
  const startedMs = run.clock.nowMs();
  const value = await step();
  return { value, lastMs: run.clock.nowMs() - startedMs };
}
