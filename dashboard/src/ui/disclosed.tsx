import type { ReactNode } from 'react';
import { Disclosure, DisclosurePanel, Heading, Button as TitleButton } from 'react-aria-components';
import styles from './disclosed.module.css';
import { Icon } from './icon';

/** A part that is shown when its title is pressed. */
export function Disclosed({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Disclosure className={styles.part ?? ''}>
      <Heading level={3} className={styles.heading ?? ''}>
        <TitleButton slot="trigger" className={styles.title ?? ''}>
          <Icon name="chevron" size={16} />
          {title}
        </TitleButton>
      </Heading>
      <DisclosurePanel className={styles.panel ?? ''}>{children}</DisclosurePanel>
    </Disclosure>
  );
}
