import type { ModelFaultKind } from './model';

/** A fault as people read it: `rate_limited` → `rate limited`. */
export function faultWords(fault: ModelFaultKind): string {
  return fault.replaceAll('_', ' ');
}
