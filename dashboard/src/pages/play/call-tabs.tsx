import { useEffect, useRef } from 'react';
import { PURPOSES } from '../../run/call-words';
import { useRun } from '../../run/use-run';
import styles from './participant-card.module.css';

interface CallTabsProps {
  readonly label: string;
  readonly ids: readonly string[];
  readonly shown: string;
  readonly onChoose: (id: string) => void;
}

/** The texts of a participant, one for each time that it was asked. */
export function CallTabs({ label, ids, shown, onChoose }: CallTabsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no set of fields
    <div className={styles.tabs} role="group" aria-label={label}>
      {ids.map((id) => (
        <CallTab key={id} id={id} isShown={id === shown} onChoose={() => onChoose(id)} />
      ))}
    </div>
  );
}

interface CallTabProps {
  readonly id: string;
  readonly isShown: boolean;
  readonly onChoose: () => void;
}

function CallTab({ id, isShown, onChoose }: CallTabProps) {
  const tab = useRef<HTMLButtonElement>(null);
  // The strip is scrolled, and nothing around it.
  useEffect(() => {
    const strip = tab.current?.parentElement;
    if (!isShown || !tab.current || !strip) return;
    strip.scrollTo({ left: tab.current.offsetLeft - (strip.clientWidth - tab.current.offsetWidth) / 2 });
  }, [isShown]);
  const round = useRun(({ calls }) => calls.get(id)?.round ?? 0);
  const purpose = useRun(({ calls }) => calls.get(id)?.purpose ?? 'draft');
  const words = PURPOSES[purpose];
  return (
    <button ref={tab} type="button" className={styles.tab} aria-pressed={isShown} onClick={onChoose}>
      {round > 0 ? `${round} · ${words}` : words}
    </button>
  );
}
