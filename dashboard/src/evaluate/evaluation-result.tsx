import type { Schema } from '../api/client';
import { plainText } from '../text/plain-text';
import { Disclosed } from '../ui/disclosed';
import { count, usd } from '../ui/format-number';
import styles from './evaluate.module.css';
import { criterionWords, divergenceWords, missingWords, scoreWords } from './evaluation-words';

type Evaluation = Schema<'Evaluation'>;

const TEN = 10;

/** Scores of responses: overall, by criterion, by each judge, and why. */
export function EvaluationResult({ result: { evaluations, usage } }: { readonly result: Schema<'EvaluationList'> }) {
  const criteria = [...new Set(evaluations.flatMap(({ criteria: of }) => Object.keys(of)))];
  const best = Math.max(...evaluations.filter(({ notScored }) => !notScored).map(({ overallScore }) => overallScore));
  return (
    <div className={styles.stack}>
      <ScoreBars title="Overall, of 10" evaluations={evaluations} scoreOf={overallOf} best={best} hasDots />
      <div className={styles.multiples}>
        {criteria.map((key) => (
          <ScoreBars
            key={key}
            title={criterionWords(key)}
            evaluations={evaluations}
            scoreOf={({ criteria: of }) => of[key]}
          />
        ))}
      </div>
      <div>
        {evaluations.map((one, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same model may have answered twice
          <Disclosed key={at} title={`Why ${one.modelName} was scored so`}>
            <Reasons of={one} />
          </Disclosed>
        ))}
      </div>
      <p className="soft">
        {count(usage.prompt_tokens)} + {count(usage.completion_tokens)} tokens · {usd(usage.total_cost)}
        {usage.unpriced_models && `, without ${usage.unpriced_models.join(', ')} (not priced)`}
      </p>
    </div>
  );
}

interface ScoreBarsProps {
  readonly title: string;
  readonly evaluations: readonly Evaluation[];
  readonly scoreOf: (evaluation: Evaluation) => number | undefined;
  /** The highest of all, which is set off. */
  readonly best?: number;
  /** True if the scores of single judges are shown as dots, and words about them. */
  readonly hasDots?: boolean;
}

/** A bar for each response; the words beside it say the same. */
function ScoreBars({ title, evaluations, scoreOf, best, hasDots }: ScoreBarsProps) {
  return (
    <section className={styles.bars} aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {evaluations.map((one, at) => {
          const score = one.notScored ? undefined : scoreOf(one);
          const about = hasDots ? [missingWords(one), divergenceWords(one)].filter(Boolean).join(', ') : '';
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same model may have answered twice
            <li key={at}>
              <span className={styles.name}>
                <bdi>{one.modelName}</bdi>
              </span>
              <span className={styles.score}>{score === undefined ? '–' : scoreWords(score)}</span>
              <Bar score={score} isBest={score !== undefined && score === best} dots={hasDots ? dotsOf(one) : []} />
              {about !== '' && <span className={styles.about}>{about}</span>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

interface BarProps {
  readonly score: number | undefined;
  readonly isBest: boolean;
  readonly dots: readonly { readonly place: number; readonly judge: string; readonly score: number }[];
}

function Bar({ score = 0, isBest, dots }: BarProps) {
  return (
    <span className={styles.bar} aria-hidden="true">
      <span data-best={isBest} style={{ inlineSize: `${(score / TEN) * 100}%` }} />
      {dots.map(({ place, judge, score: ofJudge }) => (
        <i
          key={place}
          title={`${judge}: ${scoreWords(ofJudge)}`}
          style={{ insetInlineStart: `${(ofJudge / TEN) * 100}%` }}
        />
      ))}
    </span>
  );
}

function overallOf({ overallScore }: Evaluation): number {
  return overallScore;
}

function dotsOf({ individualScores = [] }: Evaluation): BarProps['dots'] {
  return individualScores.map(({ judgeName: judge, overallScore: score }, place) => ({ place, judge, score }));
}

function Reasons({ of: { reasoning, individualScores } }: { readonly of: Evaluation }) {
  if (!individualScores || individualScores.length === 0) return <p dir="auto">{plainText(reasoning)}</p>;
  return (
    <dl className={styles.reasons}>
      {individualScores.map(({ judgeName, overallScore, reasoning: why }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a model may judge twice
        <div key={at}>
          <dt>
            <bdi>{judgeName}</bdi>, {scoreWords(overallScore)}
          </dt>
          <dd dir="auto">{plainText(why)}</dd>
        </div>
      ))}
    </dl>
  );
}
