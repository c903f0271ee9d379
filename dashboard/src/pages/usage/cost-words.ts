import { usd } from '../../ui/format-number';
import type { CostGap } from './usage-lines';

/** The words for a cost that is not known here. */
export const GAP_WORDS: Readonly<Record<CostGap, string>> = {
  unpriced: 'not priced',
  router: 'billed by your router',
  unknown: 'not known',
};

/** A cost in words: “$1.20”, “not priced”, “$1.20, some not priced”; never a zero for what is not known. */
export function costWords({ costUsd, gap }: { readonly costUsd: number; readonly gap: CostGap | undefined }): string {
  if (!gap) return usd(costUsd);
  return costUsd === 0 ? GAP_WORDS[gap] : `${usd(costUsd)}, some ${GAP_WORDS[gap]}`;
}
