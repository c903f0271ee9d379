import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { Button, IconButton } from './button';
import styles from './menu.module.css';

/** One thing to do with a row. */
export interface RowAction {
  readonly id: string;
  readonly label: string;
  /** It takes something away. */
  readonly danger?: boolean;
  readonly onAction: () => void;
}

interface RowMenuProps {
  /** The row, or what is done with it. */
  readonly label: string;
  /** Stand in the place of the dots. */
  readonly words?: string;
  readonly actions: readonly RowAction[];
}

/** The actions on a row, behind three dots or words. */
export function RowMenu({ label, words, actions }: RowMenuProps) {
  return (
    <MenuTrigger>
      {words === undefined ? <IconButton icon="more" label={label} /> : <Button aria-label={label}>{words}</Button>}
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
