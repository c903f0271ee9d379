import { CopyButton } from '../ui/copy-button';
import { useSettled } from '../ui/use-settled';
import styles from './code-block.module.css';
import { lazyModule } from './lazy-module';
import { LongText } from './long-text';

/** Longer code is not highlighted while it grows, for each time all of it is read. */
const LIVE_MAX_CHARACTERS = 4_000;
const HIGHLIGHTED_MAX_CHARACTERS = 40_000;

const useHighlighter = lazyModule(() => import('./highlighted-code'));

/** Code of a text, with its language and a button that copies it. */
export function CodeBlock({ language, text }: { readonly language: string; readonly text: string }) {
  const isStill = useSettled(text) === text || text.length <= LIVE_MAX_CHARACTERS;
  const isHighlighted = isStill && language !== '' && text.length <= HIGHLIGHTED_MAX_CHARACTERS;
  const Highlighted = useHighlighter(isHighlighted)?.HighlightedCode;
  return (
    <div className={styles.block}>
      <div className={styles.head}>
        <span>{language}</span>
        <CopyButton text={text} what="code" kind="quiet" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached */}
      <pre dir="ltr" tabIndex={0} data-language={language || undefined}>
        {isHighlighted && Highlighted ? (
          <Highlighted language={language} text={text} />
        ) : (
          <LongText text={text} as="code" />
        )}
      </pre>
    </div>
  );
}
