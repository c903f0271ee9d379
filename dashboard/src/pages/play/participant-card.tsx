import { useState } from 'react';
import { lazyPart } from '../../loading/lazy-part';
import { callWords } from '../../run/call-words';
import type { Seat } from '../../run/run-events';
import { letterOf } from '../../run/seat-words';
import { useRun } from '../../run/use-run';
import { IconButton } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { StatusLabel } from '../../ui/status-label';
import type { Tone } from '../../ui/tone';
import { CallNotes } from './call-notes';
import { CallTabs } from './call-tabs';
import { CallText } from './call-text';
import { callIdsOf, isAlone } from './card-view';
import { DraftFigures } from './draft-figures';
import styles from './participant-card.module.css';
import { SeatLetter } from './seat-letter';
import { useElapsed } from './use-elapsed';

// Comparing is loaded by those who compare.
const CallChanges = lazyPart(() => import('./call-changes'));

interface ParticipantCardProps {
  readonly seat: Seat;
  /** From 0, in request order. */
  readonly index: number;
  /** One line is left of it. */
  readonly isFolded?: boolean;
  readonly onFold?: () => void;
  /** Shows the card alone, in full width. Absent: it is. */
  readonly onFocus?: () => void;
}

/** One participant: its state, its text and those of earlier rounds, the texts it was shown, its cost. */
export function ParticipantCard({ seat, index, isFolded = false, onFold, onFocus }: ParticipantCardProps) {
  const newest = useRun((state) => callIdsOf(state, seat.seat).at(-1));
  const letter = letterOf(index);
  const alone = useRun(isAlone);
  return (
    <article
      className={styles.card}
      data-folded={isFolded}
      data-alone={alone}
      aria-label={`${letter}, ${seat.label}`}
      id={`card-${seat.seat}`}
      tabIndex={-1}
    >
      <header className={styles.head}>
        <SeatLetter index={index} />
        <div className={styles.name}>
          <h3 title={seat.modelId}>
            {onFold ? (
              <button type="button" className={styles.fold} aria-expanded={!isFolded} onClick={onFold}>
                <bdi>{seat.label}</bdi>
                <Icon name="chevron" size={16} />
              </button>
            ) : (
              <bdi>{seat.label}</bdi>
            )}
          </h3>
          <CallState id={newest} />
        </div>
        {isFolded && <DraftFigures seat={seat} index={index} />}
        {onFocus && <IconButton icon="expand" label={`Show ${letter} alone`} onPress={onFocus} />}
      </header>
      {!isFolded && <CardTexts seat={seat} letter={letter} />}
    </article>
  );
}

/** The state of a call in words, with its pace while it writes. */
function CallState({ id = '' }: { readonly id: string | undefined }) {
  const elapsedMs = useElapsed();
  // Selected one by one: words stay the same from piece to piece of a text, a call does not.
  const text = useRun(({ calls }) => {
    const call = calls.get(id);
    return call ? callWords(call, elapsedMs).text : 'Waiting';
  });
  const tone = useRun(({ calls }): Tone => {
    const call = calls.get(id);
    return call ? callWords(call, elapsedMs).tone : 'neutral';
  });
  return <StatusLabel tone={tone}>{text}</StatusLabel>;
}

/** The texts of a participant, and what is known of the one that is shown; one that is the answer stands there alone. */
function CardTexts({ seat, letter }: { readonly seat: Seat; readonly letter: string }) {
  const ids = useRun((state) => callIdsOf(state, seat.seat));
  const [chosen, choose] = useState<string>();
  const [showsChanges, showChanges] = useState(false);
  const shown = chosen !== undefined && ids.includes(chosen) ? chosen : ids.at(-1);
  const alone = useRun(isAlone);
  if (shown === undefined) return <p className={styles.empty}>It has not been asked anything yet.</p>;
  return (
    <>
      {!alone && <CallTabs label={`What ${seat.label} wrote`} ids={ids} shown={shown} onChoose={choose} />}
      {alone ? null : showsChanges ? (
        <CallChanges id={shown} label={`What ${seat.label} has changed`} />
      ) : (
        <CallText key={shown} id={shown} label={`Text of ${letter}, ${seat.label}`} />
      )}
      <CallNotes id={shown} seat={seat} showsChanges={showsChanges} onShowChanges={showChanges} />
    </>
  );
}
