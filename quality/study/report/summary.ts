import type { Interval } from '../statistics/mean-interval.ts';

type Range = Pick<Interval, 'mean' | 'low' | 'high'>;
type Verdict = 'wins' | 'loses' | 'no difference shown' | null;

/** Figures of one arm; null where they are unknown. */
export interface ArmSummary {
  readonly arm: string;
  readonly kind: 'single' | 'equal spend' | 'strategy';
  readonly answers: number;
  readonly correct: Range | null;
  readonly overBestSingle: (Range & { readonly verdict: Verdict }) | null;
  readonly overEqualSpend: (Range & { readonly verdict: Verdict }) | null;
  readonly form: number;
  readonly falseFactsPerAnswer: number;
  readonly usdPerCorrect: number | null;
  readonly firstTextMs: { readonly p50: number | null; readonly p95: number | null };
  readonly callsPerAnswer: number;
}

/** Figures of one arm on open questions; shares, a tie being half. */
export interface OpenArmSummary {
  readonly arm: string;
  readonly comparisons: number;
  readonly preferred: Range & { readonly verdict: Verdict };
  readonly preferredAtEqualLength: Range & { readonly verdict: Verdict };
  readonly flips: number | null;
  readonly lengthRatio: number | null;
  readonly usdPerAnswer: number | null;
  readonly callsPerAnswer: number;
}

/** The file `study.json`, which the dashboard of the service shows. */
export interface StudySummary {
  readonly finishedAt: string;
  readonly about: readonly string[];
  readonly warnings: readonly string[];
  readonly findings: readonly string[];
  readonly arms: readonly ArmSummary[];
  readonly openArms: readonly OpenArmSummary[];
  readonly advice: { readonly arm: string; readonly reasons: readonly string[]; readonly settings: object } | null;
}
