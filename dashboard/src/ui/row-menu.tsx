import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { IconButton } from './button';
import styles from './menu.module.css';

/** One thing to do with a row. */
export interface RowAction {
  readonly id: string;
  readonly label: string;
  /** It takes something away. */
  readonly danger?: boolean;
  readonly onAction: () => void;
}

/** The actions on a row, behind three dots; `label` says of which row. */
export function RowMenu({ label, actions }: { readonly label: string; readonly actions: readonly RowAction[] }) {
  return (
    <MenuTrigger>
      <IconButton icon="more" label={label} />
      <Popover className={styles.popover} placement="bottom end">
        <Menu className={styles.menu}>
          {actions.map(({ id, label: text, danger, onAction }) => (
            <MenuItem key={id} id={id} textValue={text} onAction={onAction} className={danger ? styles.danger : ''}>
              {text}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
