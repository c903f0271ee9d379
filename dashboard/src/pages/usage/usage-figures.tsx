import { count, shortCount, usd } from '../../ui/format-number';
import { costWords, GAP_WORDS } from './cost-words';
import { MEASURES } from './measure';
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
  return (
    <section aria-label="Figures of the month" className={styles.figures}>
      <h2>
        {monthWords(month.month)}
        {isUnfinished && ', so far'}
      </h2>
      <dl>
        {MEASURES.map(({ id, label, of, format }) => {
          const change = monthChange({ now: of(month), before: before && of(before), isUnfinished });
          const gap = id === 'cost' ? (gapIn(month) ?? (before && gapIn(before))) : undefined;
          return (
            <div key={id}>
              <dt>{label}</dt>
              <dd className={styles.figure} title={format(of(month))}>
                {id === 'cost' ? <CostFigure month={month} /> : shortIfLong(of(month))}
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

/** A cost, and what of it is not known. */
function CostFigure({ month }: { readonly month: Month }) {
  const gap = gapIn(month);
  if (month.costUsd === 0) return costWords({ costUsd: 0, gap });
  return (
    <>
      {usd(month.costUsd)}
      {gap && <small>, some {GAP_WORDS[gap]}</small>}
    </>
  );
}

function shortIfLong(value: number): string {
  return value >= SHORT_FROM ? shortCount(value) : count(value);
}
