import type { Schema } from '../api/client';
import type { EvaluationState } from './evaluation-state';

type Evaluation = Schema<'Evaluation'>;

const DIGITS = 1;

/** A score of 10, as people read it: `7.5`. */
export function scoreWords(score: number, locale?: string): string {
  const digits = { minimumFractionDigits: DIGITS, maximumFractionDigits: DIGITS };
  return new Intl.NumberFormat(locale, digits).format(score);
}

/** The distance between judges about a response, in words; nothing where only one has scored it. */
export function divergenceWords({ divergencePercent, scoredByJudges }: Evaluation): string | undefined {
  if (scoredByJudges < 2 || divergencePercent === undefined) return undefined;
  const percent = Math.round(divergencePercent);
  return percent === 0 ? 'the judges agree' : `the judges differ by ${percent}%`;
}

/** The number of judges that scored a response, where not all did. */
export function missingWords({ scoredByJudges, totalJudges, notScored }: Evaluation): string | undefined {
  if (notScored) return 'not scored: no judge gave a usable score';
  return scoredByJudges < totalJudges ? `scored by ${scoredByJudges} of ${totalJudges} judges` : undefined;
}

/** A criterion in words: `impactAssessment` → `Impact assessment`. */
export function criterionWords(key: string): string {
  const words = key.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The progress of one judge; `judge` is its place in the request. */
interface ProgressLine {
  readonly judge: number;
  readonly text: string;
}

/** The progress of each judge: `Demo Ada has read 2 of 3`. */
export function progressLines({ readings }: EvaluationState, responses: number): readonly ProgressLine[] {
  return [...readings].map(([judge, ofJudge]) => {
    const name = [...ofJudge.values()][0]?.judge.name ?? '';
    const ended = [...ofJudge.values()].filter(({ state }) => state !== 'started');
    const failed = ended.filter(({ state }) => state === 'failed').length;
    const without = failed > 0 ? `, ${failed} without a usable score` : '';
    return { judge, text: `${name} has read ${ended.length} of ${responses}${without}` };
  });
}
