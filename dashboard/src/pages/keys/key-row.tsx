import { Link } from 'wouter';
import { Button } from '../../ui/button';
import { DataCell } from '../../ui/data-table';
import { exactMoment } from '../../ui/format-moment';
import { usd } from '../../ui/format-number';
import { Moment } from '../../ui/moment';
import { type RowAction, RowMenu } from '../../ui/row-menu';
import { StatusLabel } from '../../ui/status-label';
import { useNow } from '../../ui/use-now';
import type { KeyDialogState } from './key-dialog';
import { keyStatus } from './key-status';
import styles from './key-table.module.css';
import { isGone, type Key, shortKey } from './keys';
import { limitLines } from './limit-lines';

/** The columns. */
export const KEY_HEADS = {
  name: { label: 'Name' },
  key: { label: 'Key' },
  created: { label: 'Created' },
  lastUsed: { label: 'Last used' },
  thisMonth: { label: 'This month' },
  status: { label: 'Status' },
  actions: { label: 'Actions', isHidden: true },
};

/** The circumstances of all rows. */
export interface RowTerms {
  readonly keys: readonly Key[];
  /** True if the user may make keys. */
  readonly canCreate: boolean;
  /** The moment at which budgets begin anew, ISO 8601. */
  readonly monthEndsAt: string;
  readonly onOpen: (dialog: KeyDialogState) => void;
}

/** A key: what it is called, whether it is used, what becomes of it, and what can be done with it. */
export function KeyRow({ shown, terms }: { readonly shown: Key; readonly terms: RowTerms }) {
  const nowMs = useNow();
  const { tone, text } = keyStatus(shown, nowMs);
  const { name, createdAt, lastUsedAt, expiresAt } = shown;
  const actions = actionsOf(shown, terms);
  return (
    <tr className={`${styles.row} ${isGone(shown) ? styles.gone : ''}`}>
      <th scope="row" className={styles.name}>
        {name}
        <ul className={styles.limits}>
          {limitLines(shown, terms.monthEndsAt).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </th>
      <DataCell of={KEY_HEADS.key} className={styles.key}>
        <code>{shortKey(shown)}</code>
      </DataCell>
      <DataCell of={KEY_HEADS.created} className={styles.when}>
        <Moment at={createdAt} as="day" />
      </DataCell>
      <DataCell of={KEY_HEADS.lastUsed} className={styles.when}>
        {lastUsedAt === null ? 'never' : <Moment at={lastUsedAt} />}
      </DataCell>
      <DataCell of={KEY_HEADS.thisMonth}>
        <Link href={`/usage?per=request&key=${shown.usageId}`} aria-label={`Usage of ${name}: ${spentText(shown)}`}>
          {spentText(shown)}
        </Link>
      </DataCell>
      <DataCell of={KEY_HEADS.status} className={styles.status}>
        <span title={expiresAt === null ? undefined : exactMoment(Date.parse(expiresAt))}>
          <StatusLabel tone={tone}>{text}</StatusLabel>
        </span>
        {shown.state === 'active' && tone === 'good' && expiresAt !== null && (
          <small>
            until&nbsp;
            <Moment at={expiresAt} as="day" />
          </small>
        )}
        <Replaced shown={shown} terms={terms} />
      </DataCell>
      <DataCell of={KEY_HEADS.actions} className={styles.menu}>
        {actions.length > 0 && <RowMenu label={`Actions for ${name} ${shortKey(shown)}`} actions={actions} />}
      </DataCell>
    </tr>
  );
}

/** The successor of a key, and the way to end it before its time. */
function Replaced({ shown, terms }: { readonly shown: Key; readonly terms: RowTerms }) {
  const successor = terms.keys.find(({ id }) => id === shown.replacedBy);
  if (!successor) return null;
  return (
    <small>
      replaced by …{successor.last4}
      {shown.state === 'rotating' && (
        <Button
          kind="quiet"
          aria-label={`End now: ${shortKey(shown)}`}
          onPress={() => terms.onOpen({ is: 'revoke', keyId: shown.id })}
        >
          End now
        </Button>
      )}
    </small>
  );
}

function spentText({ spentUsd, budgetUsd }: Key): string {
  return budgetUsd === undefined ? usd(spentUsd) : `${usd(spentUsd)} of ${usd(budgetUsd)}`;
}

function actionsOf(key: Key, { canCreate, onOpen }: RowTerms): readonly RowAction[] {
  const open = (is: 'edit' | 'rotate' | 'revoke') => () => onOpen({ is, keyId: key.id });
  const isWorking = key.state === 'active' || key.state === 'rotating';
  return [
    ...(isWorking ? [{ id: 'edit', label: 'Change …', onAction: open('edit') }] : []),
    ...(key.state === 'active' && canCreate ? [{ id: 'rotate', label: 'Rotate …', onAction: open('rotate') }] : []),
    ...(isGone(key) ? [] : [{ id: 'revoke', label: 'Revoke …', danger: true, onAction: open('revoke') }]),
  ];
}
