import { useState } from 'react';
import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components';
import type { Account } from '../session/session';
import { useSession } from '../session/session-context';
import { Icon } from '../ui/icon';
import menu from '../ui/menu.module.css';
import styles from './account-menu.module.css';
import { SignOutEverywhere } from './sign-out-everywhere';
import { chooseTheme, chosenTheme, THEMES, type Theme } from './theme';

const THEME_LABELS: Readonly<Record<Theme, string>> = { system: 'As the system', light: 'Light', dark: 'Dark' };

/** The signed-in user, the theme, the reference of the API, and the way out. */
export function AccountMenu({ account }: { readonly account: Account }) {
  const [theme, setTheme] = useState(chosenTheme);
  const { ways } = useSession();
  const [isLeaving, setLeaving] = useState(false);
  return (
    <>
      <MenuTrigger>
        <Button className={styles.opener}>
          <span className={styles.initial} aria-hidden="true">
            {account.name.slice(0, 1).toUpperCase()}
          </span>
          <span className={styles.name}>{account.name}</span>
          <span className="visually-hidden">: account and theme</span>
        </Button>
        <Popover className={menu.popover} placement="top start">
          <Menu className={menu.menu}>
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
      </MenuTrigger>
      {ways && <SignOutEverywhere ways={ways} isOpen={isLeaving} onClose={() => setLeaving(false)} />}
    </>
  );
}
