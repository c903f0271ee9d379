import type { EnsembleRequest } from '../run';
import { callsOf } from './planned-wave';
import { projectionOf } from './projection';

/** What the arbiter's answer costs at least when it is asked alone, nano-USD: no run comes cheaper. */
export function leastCostNanoUsd(request: EnsembleRequest, atMs: number): number {
  return projectionOf(request, atMs)(callsOf([request.panel.arbiter], 'answer', 0)).low;
}
