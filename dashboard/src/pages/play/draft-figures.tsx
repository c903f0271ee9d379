import type { Seat, Spend } from '../../run/run-events';
import { useRun } from '../../run/use-run';
import { wordCount } from '../../text/first-words';
import { count, usdOfNano } from '../../ui/format-number';
import { callIdsOf, spendOf, standingOf } from './card-view';
import styles from './participant-card.module.css';
import { useOverlap } from './use-overlap';

/** A draft in figures: its length, its cost, and how much of the answer stands in it. */
export function DraftFigures({ seat, index }: { readonly seat: Seat; readonly index: number }) {
  const words = useRun((state) => wordCount(standingOf(state, seat.seat) ?? ''));
  const cost = useRun((state) => costOf(seat, spendOf(state, callIdsOf(state, seat.seat))));
  const share = useOverlap()?.shares[index];
  return (
    <span className={styles.figures}>
      <span>
        {count(words)}
        <span className={styles.unit}> words</span>
      </span>
      <span>{cost}</span>
      <span title="The share of the answer’s pairs of words that stand in this draft as well">
        {share === undefined ? '–' : `${Math.round(share * 100)}%`}
        <span className={styles.unit}> agreement</span>
      </span>
    </span>
  );
}

function costOf({ source }: Seat, spend: Spend | undefined): string {
  if (!spend) return '–';
  if (source === 'router') return 'by your router';
  if (!spend.priced) return 'not priced';
  return `${spend.estimated ? '≈ ' : ''}${usdOfNano(spend.costNanoUsd)}`;
}
