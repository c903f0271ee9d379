import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components';
import styles from './button.module.css';
import { Icon, type IconName } from './icon';

type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'danger';

interface ButtonProps extends Omit<AriaButtonProps, 'children' | 'className' | 'style'> {
  /** One `primary` a page; `danger` for what cannot be undone. */
  readonly kind?: ButtonKind;
  readonly icon?: IconName;
  /** The words while `isPending`, such as “Saving …”. */
  readonly pendingText?: string;
  readonly children: ReactNode;
}

/**
 * A button with words. While it is pending it keeps the focus and does nothing. React Aria's own way is not used: what it
 * tells readers of the screen is named by the button, and nameless as soon as that is gone.
 */
export function Button({ kind = 'secondary', icon, pendingText, children, isPending = false, ...props }: ButtonProps) {
  const { onPress, type = 'button', ...rest } = props;
  return (
    <>
      <AriaButton
        {...rest}
        {...(isPending ? { type: 'button' } : { type, ...(onPress && { onPress }) })}
        className={`${styles.button} ${styles[kind]} ${isPending ? styles.pending : ''}`}
      >
        {icon && <Icon name={icon} size={16} />}
        {isPending && pendingText ? pendingText : children}
      </AriaButton>
      <span role="status" className="visually-hidden">
        {isPending && pendingText}
      </span>
    </>
  );
}

interface IconButtonProps extends Omit<AriaButtonProps, 'children' | 'className' | 'style'> {
  readonly icon: IconName;
  /** The action, in words that only readers of the screen and tests see. */
  readonly label: string;
}

/** A button with a picture, for rows where words would not fit. */
export function IconButton({ icon, label, ...props }: IconButtonProps) {
  return (
    <AriaButton {...props} aria-label={label} className={`${styles.button} ${styles.square}`}>
      <Icon name={icon} />
    </AriaButton>
  );
}
