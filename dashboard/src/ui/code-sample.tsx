import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { type SampleCall, SNIPPET_LANGUAGES, snippetOf } from './call-snippets';
import styles from './code-sample.module.css';
import { CopyButton } from './copy-button';
import tabStyles from './tab.module.css';

/** A call as a program in one of several languages, to be copied and run as it stands. */
export function CodeSample({ label, call }: { readonly label: string; readonly call: SampleCall }) {
  return (
    <Tabs className={styles.sample}>
      <TabList aria-label={label} className={styles.tabs}>
        {SNIPPET_LANGUAGES.map((language) => (
          <Tab key={language.id} id={language.id} className={tabStyles.tab}>
            {language.label}
          </Tab>
        ))}
      </TabList>
      {SNIPPET_LANGUAGES.map((language) => {
        const text = snippetOf(call, language.id);
        return (
          <TabPanel key={language.id} id={language.id} className={styles.panel}>
            <pre className={styles.code} dir="ltr">
              <code>{text}</code>
            </pre>
            <CopyButton text={text} what={`${language.label} call`} kind="quiet" />
          </TabPanel>
        );
      })}
    </Tabs>
  );
}
