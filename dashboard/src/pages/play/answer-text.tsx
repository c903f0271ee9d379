import { useMemo } from 'react';
import type { RunState } from '../../run/run-state';
import { useRun } from '../../run/use-run';
import { HeadingRank } from '../../text/block-view';
import { Markdown } from '../../text/markdown';
import { linkForms, UnsupportedLinks } from '../../text/unsupported-links';
import { SourceList } from './source-list';
import { useOnScreen } from './use-on-screen';
import { useThrottledText } from './use-throttled-text';
import styles from './verdict-panel.module.css';

const NONE: readonly never[] = [];

/** The answer as it is written; before that, what is being waited for, and where there is none, why. */
export function AnswerText() {
  const [box, isOnScreen] = useOnScreen<HTMLDivElement>();
  const outcome = useRun(({ end }) => end?.outcome);
  const message = useRun(({ end }) => end?.message);
  const sources = useRun(({ verdict }) => verdict?.sources ?? NONE);
  const urls = useRun(({ verdict }) => verdict?.unsupportedUrls ?? NONE);
  const unsupported = useMemo(() => linkForms(urls), [urls]);
  const isWhole = outcome !== undefined;
  const text = useThrottledText(answerOf, isOnScreen || isWhole);
  return (
    <div ref={box}>
      {text === '' && <p className="soft">{WAITING[outcome ?? 'none']}</p>}
      {message && <p className={styles.failed}>{message}</p>}
      <UnsupportedLinks value={unsupported}>
        <HeadingRank value={3}>
          <Markdown text={text} isWhole={isWhole} />
        </HeadingRank>
      </UnsupportedLinks>
      {unsupported.size > 0 && (
        <p className="soft">
          A marked address appears in none of the texts that the answer was made from: check it before you rely on it.
        </p>
      )}
      <SourceList title="Sources" sources={sources} />
      {outcome === 'stopped' && text !== '' && (
        <p className="soft">The answer ends here because the run was stopped.</p>
      )}
    </div>
  );
}

const WAITING = {
  none: 'The answer is written as soon as the participants are done.',
  complete: 'The answer is empty.',
  stopped: 'The run was stopped before an answer was written.',
  failed: 'There is no answer: the run has failed.',
} as const;

function answerOf({ answer }: RunState): string {
  return answer;
}
