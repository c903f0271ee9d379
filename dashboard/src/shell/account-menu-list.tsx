import { type RefObject, useState } from 'react';
import { Header, Menu, MenuItem, MenuSection, Popover } from 'react-aria-components';
import type { Account } from '../session/session';
import { useSession } from '../session/session-context';
import { Icon } from '../ui/icon';
import menu from '../ui/menu.module.css';
import { SignOutEverywhere } from './sign-out-everywhere';
import { chooseTheme, chosenTheme, THEMES, type Theme } from './theme';

const THEME_LABELS: Readonly<Record<Theme, string>> = { system: 'As the system', light: 'Light', dark: 'Dark' };

interface AccountMenuListProps {
  readonly account: Account;
  readonly opener: RefObject<HTMLButtonElement | null>;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

/** The menu itself, which is loaded when it is first opened. */
export default function AccountMenuList({ account, opener, isOpen, onOpenChange }: AccountMenuListProps) {
  const [theme, setTheme] = useState(chosenTheme);
  const { ways } = useSession();
  const [isLeaving, setLeaving] = useState(false);
  return (
    <>
      <Popover
        className={menu.popover}
        placement="top start"
        triggerRef={opener}
        isOpen={isOpen}
        onOpenChange={onOpenChange}
      >
        <Menu
          className={menu.menu}
          aria-label="Account and theme"
          autoFocus="first"
          onClose={() => onOpenChange(false)}
        >
          <MenuSection
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[theme]}
            onSelectionChange={(keys) => {
              const chosen = THEMES.find((one) => keys === 'all' || keys.has(one)) ?? 'system';
              chooseTheme(chosen);
              setTheme(chosen);
            }}
          >
            <Header>Theme</Header>
            {THEMES.map((one) => (
              <MenuItem key={one} id={one} textValue={THEME_LABELS[one]}>
                {({ isSelected }) => (
                  <>
                    <span className={menu.mark}>{isSelected && <Icon name="check" size={16} />}</span>
                    {THEME_LABELS[one]}
                  </>
                )}
              </MenuItem>
            ))}
          </MenuSection>
          <MenuSection>
            <Header>API</Header>
            <MenuItem href="/docs" target="_blank" rel="noreferrer" textValue="Reference">
              <span className={menu.mark}>
                <Icon name="external" size={16} />
              </span>
              Reference
            </MenuItem>
          </MenuSection>
          {ways && (
            <MenuSection>
              <Header>{account.name}</Header>
              <MenuItem textValue="Sign out" onAction={() => void ways.signOut()}>
                <span className={menu.mark} />
                Sign out
              </MenuItem>
              <MenuItem textValue="Sign out everywhere" onAction={() => setLeaving(true)}>
                <span className={menu.mark} />
                Sign out everywhere …
              </MenuItem>
            </MenuSection>
          )}
        </Menu>
      </Popover>
      {ways && <SignOutEverywhere ways={ways} isOpen={isLeaving} onClose={() => setLeaving(false)} />}
    </>
  );
}
