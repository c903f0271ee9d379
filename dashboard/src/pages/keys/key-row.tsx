import { Button } from '../../ui/button';
import { exactMoment } from '../../ui/format-moment';
import { usd } from '../../ui/format-number';
import { Moment } from '../../ui/moment';
import { type RowAction, RowMenu } from '../../ui/row-menu';
import { StatusLabel } from '../../ui/status-label';
import { useNow } from '../../ui/use-now';
import type { KeyDialogState } from './key-dialog-state';
import { keyStatus } from './key-status';
import styles from './key-table.module.css';
import { isGone, type Key, shortKey } from './keys';
import { limitLines } from './limit-lines';

/** What all rows are shown by. */
export interface RowTerms {
  readonly keys: readonly Key[];
  /** Whether the user may make keys. */
  readonly canCreate: boolean;
  /** When budgets begin anew, ISO 8601. */
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
    <tr className={isGone(shown) ? styles.gone : ''}>
      <th scope="row" className={styles.name}>
        {name}
        <ul className={styles.limits}>
          {limitLines(shown, terms.monthEndsAt).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </th>
      <td data-label="Key" className={styles.key}>
        <code>{shortKey(shown)}</code>
      </td>
      <td data-label="Created" className={styles.when}>
        <Moment at={createdAt} as="day" />
      </td>
      <td data-label="Last used" className={styles.when}>
        {lastUsedAt === null ? 'never' : <Moment at={lastUsedAt} />}
      </td>
      <td data-label="This month">{spentText(shown)}</td>
      <td data-label="Status" className={styles.status}>
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
      </td>
      <td className={styles.menu}>
        {actions.length > 0 && <RowMenu label={`Actions for ${name} ${shortKey(shown)}`} actions={actions} />}
      </td>
    </tr>
  );
}

/** By which key it was replaced, and the way to end it before its time. */
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
