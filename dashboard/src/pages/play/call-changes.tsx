import { lazyPart } from '../../loading/lazy-part';
import { useRun } from '../../run/use-run';
import { usedText } from '../../run/used-text';
import textStyles from './call-text.module.css';
import { textBefore } from './card-view';

// Comparing is loaded by those who compare.
const TextChanges = lazyPart(() => import('./text-changes'));

/** The changes of a participant to its earlier text. */
export function CallChanges({ id, label }: { readonly id: string; readonly label: string }) {
  const call = useRun(({ calls }) => calls.get(id));
  const before = useRun((state) => call && textBefore(state, call));
  const after = useRun((state) => usedText(state, id));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard
    <section className={textStyles.text} aria-label={label} tabIndex={0}>
      {call?.endedAtMs === undefined && <p>The changes can be shown once this text is complete.</p>}
      {call?.endedAtMs !== undefined && before === undefined && <p>There is no earlier text to compare it with.</p>}
      {call?.endedAtMs !== undefined && before !== undefined && <TextChanges before={before} after={after} />}
    </section>
  );
}
