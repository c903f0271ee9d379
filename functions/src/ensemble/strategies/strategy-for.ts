import type { EnsembleRequest, Strategy } from '../run';
import { onDemand } from './auto/auto';
import { answersAlone, passThrough } from './pass-through/pass-through';

/**
 * The strategy that plays a request: the one asked for, unless one model alone does as well; on demand, if that is wanted.
 * An answer that is to be checked is so where the arbiter writes it, so there it is always the panel's.
 */
export function strategyFor(request: EnsembleRequest): Strategy {
  if (answersAlone(request)) return passThrough;
  return request.auto && !request.answerForm && !request.checks ? onDemand(request.strategy) : request.strategy;
}
