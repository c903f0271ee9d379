import { Meter } from 'react-aria-components';
import type { Schema } from '../../api/client';
import { utcDayOf } from '../../ui/format-moment';
import { count, usd } from '../../ui/format-number';
import { Panel } from '../../ui/page';
import styles from './plan.module.css';

/** The tier for which the grant is all that there is of platform models; Pro has no such end. */
const GRANTED_TIER = 'byok';

/** The used part of this month's budget and token grant, and when both begin anew. */
export function PlanSpending({ plan }: { readonly plan: Schema<'AccountPlan'> }) {
  const { spentUsd, budgetUsd, grant, monthEndsAt, tier } = plan;
  const takenTokens = grant.usedTokens + grant.leasedTokens;
  return (
    <Panel title="This month">
      {budgetUsd === undefined ? (
        <p>
          <strong>{usd(spentUsd)}</strong> spent. You have no monthly budget.
        </p>
      ) : (
        <Gauge
          label="Spent"
          value={spentUsd}
          max={budgetUsd}
          words={`${usd(spentUsd)} of your budget of ${usd(budgetUsd)}, ${usd(Math.max(0, budgetUsd - spentUsd))} left`}
          full="Your budget is used up: requests are refused until the next month begins, or until whoever runs the service raises it."
        />
      )}
      {tier === GRANTED_TIER && (
        <Gauge
          label="Token grant"
          value={takenTokens}
          max={grant.tokens}
          words={`${count(takenTokens)} of ${count(grant.tokens)} tokens, ${count(Math.max(0, grant.tokens - takenTokens))} left${grant.leasedTokens > 0 ? `, ${count(grant.leasedTokens)} of them reserved for current runs` : ''}`}
          full="The grant is used up. Runs that use models of your router alone still work."
        />
      )}
      <p className="soft">
        The month begins anew on <time dateTime={monthEndsAt}>{utcDayOf(Date.parse(monthEndsAt))}</time> (UTC).
      </p>
    </Panel>
  );
}

interface GaugeProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  readonly words: string;
  /** The consequence when nothing is left. */
  readonly full: string;
}

function Gauge({ label, value, max, words, full }: GaugeProps) {
  const isFull = value >= max;
  return (
    <div className={styles.gauge}>
      <p className={styles.gaugeWords}>
        <span>{label}</span>
        <span>{words}</span>
      </p>
      <Meter
        aria-label={label}
        value={Math.min(value, max)}
        maxValue={max}
        valueLabel={words}
        className={styles.bar ?? ''}
      >
        {({ percentage }) => (
          <div className={isFull ? styles.fillFull : styles.fill} style={{ inlineSize: `${percentage}%` }} />
        )}
      </Meter>
      {isFull && <p>{full}</p>}
    </div>
  );
}
