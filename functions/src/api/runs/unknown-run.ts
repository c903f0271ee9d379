import { type Refusal, refuse } from '../../errors';

/** One refusal for runs of others and for runs that do not exist. */
export function refuseUnknownRun(): Refusal {
  return refuse('not_found', 'Unknown run');
}
