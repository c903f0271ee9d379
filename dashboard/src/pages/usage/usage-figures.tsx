import { count, shortCount, usd } from '../../ui/format-number';
import { costWords, GAP_WORDS } from './cost-words';
import { MEASURES, type MeasureId } from './measure';
import { changeWords, monthChange } from './month-change';
import { monthAfter } from './month-range';
import { monthWords } from './month-words';
import styles from './usage.module.css';
import { gapIn, type Month } from './usage-lines';

const SHORT_FROM = 100_000;

interface UsageFiguresProps {
  readonly month: Month;
  /** Undefined: it was not asked for. */
  readonly before: Month | undefined;
}

/** Cost, tokens and requests of a month, each compared to the month before. */
export function UsageFigures({ month, before }: UsageFiguresProps) {
  const isUnfinished = month.unfinished === true;
  const day = isUnfinished ? `, so far` : '';
  return (
    <section aria-label="Figures of the month" className={styles.figures}>
      <h2>
        {monthWords(month.month)}
        {day}
      </h2>
      <dl>
        {MEASURES.map(({ id, label, of }) => {
          const change = monthChange({ now: of(month), before: before && of(before), isUnfinished });
          const gap = id === 'cost' ? (gapIn(month) ?? (before && gapIn(before))) : undefined;
          return (
            <div key={id}>
              <dt>{label}</dt>
              <dd className={styles.figure} title={exactOf(id, month)}>
                {wordsOf(id, month)}
                {id === 'cost' && <CostGapWords month={month} />}
              </dd>
              <dd className={styles.change}>
                {gap && change.is === 'same' ? '' : changeWords(change, monthWords(monthAfter(month.month, -1)))}
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}

/** Beside a cost: what of it is not known. */
function CostGapWords({ month }: { readonly month: Month }) {
  const gap = gapIn(month);
  return gap && month.costUsd > 0 && <small>, some {GAP_WORDS[gap]}</small>;
}

function wordsOf(id: MeasureId, month: Month): string {
  if (id === 'cost') return month.costUsd > 0 ? usd(month.costUsd) : costWords({ costUsd: 0, gap: gapIn(month) });
  const value = id === 'tokens' ? month.promptTokens + month.completionTokens : month.requests;
  return value >= SHORT_FROM ? shortCount(value) : count(value);
}

function exactOf(id: MeasureId, month: Month): string {
  if (id === 'cost') return `${month.costUsd} US dollars`;
  return count(id === 'tokens' ? month.promptTokens + month.completionTokens : month.requests);
}
