import { type ReactNode, useState } from 'react';
import { Disclosure, DisclosurePanel, Heading, Button as TitleButton } from 'react-aria-components';
import styles from './disclosed.module.css';
import { Icon } from './icon';

/** A part that is shown when its title is pressed; what is in it is made, and loaded, when that first happens. */
export function Disclosed({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const [isMade, setMade] = useState(false);
  return (
    <Disclosure className={styles.part ?? ''} onExpandedChange={() => setMade(true)}>
      <Heading level={3} className={styles.heading ?? ''}>
        <TitleButton slot="trigger" className={styles.title ?? ''}>
          <Icon name="chevron" size={16} />
          {title}
        </TitleButton>
      </Heading>
      <DisclosurePanel className={styles.panel ?? ''}>{isMade && children}</DisclosurePanel>
    </Disclosure>
  );
}
