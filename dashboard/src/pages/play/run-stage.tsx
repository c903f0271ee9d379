import { type ReactNode, useRef } from 'react';
import { useRun } from '../../run/use-run';
import { CardBar } from './card-bar';
import { FocusView } from './focus-view';
import { ParticipantCard } from './participant-card';
import styles from './run-stage.module.css';
import { useSlides } from './use-slides';
import { VerdictPanel } from './verdict-panel';

interface RunStageProps {
  readonly onAsk: ((prompt: string) => void) | undefined;
  /** The seat whose card is shown alone. */
  readonly focused: string | undefined;
  readonly onFocus: (seat: string | undefined) => void;
  /** Stands under the answer. */
  readonly children?: ReactNode;
}

/** The participants side by side and the answer below them; on a phone one of these at a time. */
export function RunStage({ onAsk, focused, onFocus, children }: RunStageProps) {
  const run = useRun((state) => state.run);
  const stage = useRef<HTMLDivElement>(null);
  const { shown, show } = useSlides(stage);
  if (!run) return null;
  const { participants } = run;
  const at = participants.findIndex(({ seat }) => seat === focused);
  const seat = participants[at];
  return (
    <>
      <CardBar participants={participants} shown={shown} onShow={show} />
      <div ref={stage} className={styles.stage}>
        <div className={styles.cards} data-count={participants.length}>
          {participants.map((one, index) => (
            <div key={one.seat} className={styles.slide} data-slide={one.seat}>
              <ParticipantCard seat={one} index={index} onFocus={() => onFocus(one.seat)} />
            </div>
          ))}
        </div>
        <div className={styles.slide} data-slide="verdict">
          <VerdictPanel onAsk={onAsk}>{children}</VerdictPanel>
        </div>
      </div>
      {seat && <FocusView seat={seat} index={at} onClose={() => onFocus(undefined)} />}
    </>
  );
}
