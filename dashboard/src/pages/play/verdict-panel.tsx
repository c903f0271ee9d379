import { type ReactNode, useState } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { lazyPart } from '../../loading/lazy-part';
import { labelOf } from '../../run/seat-words';
import { useRun } from '../../run/use-run';
import { TakeRun } from '../../share/take-run';
import { plainText } from '../../text/plain-text';
import { CopyButton } from '../../ui/copy-button';
import tabStyles from '../../ui/tab.module.css';
import { AnswerText } from './answer-text';
import { isAlone } from './card-view';
import { RunAgain } from './run-again';
import styles from './verdict-panel.module.css';
import { WhoSaidWhat } from './who-said-what';

interface VerdictPanelProps {
  /** Asks this next; undefined: nothing is asked here. */
  readonly onAsk: ((prompt: string) => void) | undefined;
  /** Stands under the answer once the run is over, whichever tab is shown: the next message, the rating. */
  readonly children?: ReactNode;
}

const EvaluateRun = lazyPart(() => import('./evaluate-run'));
const VerdictWhy = lazyPart(() => import('./verdict-why'));

const TABS = [
  { id: 'answer', label: 'Answer' },
  { id: 'why', label: 'Why' },
  { id: 'who', label: 'Who said what' },
  { id: 'evaluate', label: 'Evaluate' },
] as const;

/** The run's answer as it is written, why it is so, and what each participant stands for. */
export function VerdictPanel({ onAsk, children }: VerdictPanelProps) {
  const author = useRun((state) => labelOf(state, state.verdict?.seat ?? 'arbiter'));
  const alone = useRun(isAlone);
  const outcome = useRun(({ end }) => end?.outcome);
  const isReserved = useRun(({ answer, end }) => answer !== '' || !end);
  const tabs = TABS.filter(({ id }) => (onAsk || id !== 'evaluate') && !(alone && id === 'who'));
  const [shown, show] = useState<string>('answer');
  return (
    <section
      className={styles.verdict}
      data-reserved={isReserved}
      aria-label="Answer of the ensemble"
      id="card-verdict"
      tabIndex={-1}
    >
      <Tabs selectedKey={shown} onSelectionChange={(key) => show(String(key))} className={styles.tabs}>
        <header className={styles.head}>
          <h2>
            Answer{' '}
            <span className={styles.by}>
              by <bdi>{author}</bdi>
            </span>
          </h2>
          <TabList aria-label="About the answer" className={styles.list}>
            {tabs.map(({ id, label }) => (
              <Tab key={id} id={id} className={tabStyles.tab}>
                {label}
              </Tab>
            ))}
          </TabList>
        </header>
        <TabPanel id="answer" className={styles.panel}>
          <AnswerText />
          {outcome === 'failed' && (
            <div className="row">
              <RunAgain />
            </div>
          )}
          <Copies />
          {onAsk && <FollowUps onAsk={onAsk} />}
        </TabPanel>
        <TabPanel id="why" className={styles.panel}>
          <VerdictWhy />
        </TabPanel>
        <TabPanel id="who" className={styles.panel}>
          <WhoSaidWhat />
        </TabPanel>
        <TabPanel id="evaluate" className={styles.panel}>
          <EvaluateRun />
        </TabPanel>
      </Tabs>
      {outcome && children && <footer className={styles.footer}>{children}</footer>}
    </section>
  );
}

function Copies() {
  const answer = useRun((state) => (state.end ? state.answer : ''));
  if (answer === '') return null;
  return (
    <div className="row">
      <CopyButton text={() => plainText(answer)} what="text" words="Copy text" kind="secondary" />
      <CopyButton text={answer} what="Markdown" words="Copy Markdown" kind="secondary" />
      <TakeRun />
    </div>
  );
}

function FollowUps({ onAsk }: { readonly onAsk: (prompt: string) => void }) {
  const prompts = useRun(({ end, verdict }) => (end ? verdict?.followUpPrompts : undefined));
  if (!prompts || prompts.length === 0) return null;
  return (
    <div className={styles.next}>
      <h3>Ask next</h3>
      <ul>
        {prompts.map((prompt) => (
          <li key={prompt}>
            <button type="button" className={styles.prompt} onClick={() => onAsk(prompt)} dir="auto">
              {prompt}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
