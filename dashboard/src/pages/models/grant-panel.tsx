import { Meter } from 'react-aria-components';
import type { Schema } from '../../api/client';
import { utcDayOf } from '../../ui/format-moment';
import { count } from '../../ui/format-number';
import { Panel } from '../../ui/page';
import styles from './models.module.css';

/** The rest of the month's tokens of platform models, which work beside models of the router. */
export function GrantPanel({ plan: { grant, monthEndsAt } }: { readonly plan: Schema<'AccountPlan'> }) {
  const { tokens, usedTokens, leasedTokens } = grant;
  const takenTokens = Math.min(tokens, usedTokens + leasedTokens);
  const shareOf = (part: number): string => `${Math.min(100, (100 * part) / Math.max(1, tokens))}%`;
  const left = `${count(tokens - takenTokens)} of ${count(tokens)} tokens are left`;
  return (
    <Panel title="Monthly grant">
      <p>{left}</p>
      <Meter
        aria-label="Tokens taken of the monthly grant"
        maxValue={tokens}
        value={takenTokens}
        valueLabel={left}
        className={styles.bar ?? ''}
      >
        <div className={styles.used} style={{ inlineSize: shareOf(Math.min(tokens, usedTokens)) }} />
        <div className={styles.aside} style={{ inlineSize: shareOf(takenTokens - Math.min(tokens, usedTokens)) }} />
      </Meter>
      <dl className={styles.figures}>
        <div>
          <dt>Used</dt>
          <dd>{count(usedTokens)}</dd>
        </div>
        <div>
          <dt>Reserved for current runs</dt>
          <dd>{count(leasedTokens)}</dd>
        </div>
        <div>
          <dt>Begins anew</dt>
          <dd>
            <time dateTime={monthEndsAt}>{utcDayOf(Date.parse(monthEndsAt))}</time> (UTC)
          </dd>
        </div>
      </dl>
      <p className={styles.soft}>
        It pays for the platform models below when a run combines them with models of your router.
      </p>
    </Panel>
  );
}
