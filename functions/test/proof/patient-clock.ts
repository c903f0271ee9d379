import { type Clock, systemClock } from '../../src/lib/clock';

/** Real time without its deadlines: how long the machine takes must not decide what a proof finds. */
export const patientClock: Clock = {
  ...systemClock,
  // The pauses between two tries are shorter.
  after: (delayMs, fire) => (delayMs < 1_000 ? systemClock.after(delayMs, fire) : () => undefined),
};
