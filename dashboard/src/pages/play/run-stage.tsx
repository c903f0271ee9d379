import { type ReactNode, useRef } from 'react';
import type { Seat } from '../../run/run-events';
import { useRun } from '../../run/use-run';
import { Button } from '../../ui/button';
import { isAlone } from './card-view';
import { FocusView } from './focus-view';
import { ParticipantCard } from './participant-card';
import styles from './run-stage.module.css';
import { StageBar } from './stage-bar';
import { Timeline } from './timeline';
import { useRunKeys } from './use-run-keys';
import { useSlides } from './use-slides';
import { useStageView } from './use-stage-view';
import { VerdictPanel } from './verdict-panel';

interface RunStageProps {
  readonly onAsk: ((prompt: string) => void) | undefined;
  readonly onStop: () => void;
  readonly hasShortcuts: boolean;
  /** The seat whose card is shown alone. */
  readonly focused: string | undefined;
  readonly onFocus: (seat: string | undefined) => void;
  /** Stands under the answer. */
  readonly children?: ReactNode;
}

const NOBODY: readonly Seat[] = [];

/** The answer as soon as there is one, above the drafts; until then the drafts, side by side; a bar leads to each. */
export function RunStage({ onAsk, onStop, hasShortcuts, focused, onFocus, children }: RunStageProps) {
  const participants = useRun(({ run }) => run?.participants ?? NOBODY);
  const isThere = useRun(({ run, end }) => run !== undefined || end !== undefined);
  const alone = useRun(isAlone);
  const stage = useRef<HTMLDivElement>(null);
  const drafts = useRef<HTMLDivElement>(null);
  const view = useStageView(stage);
  const shown = useSlides(drafts, !view.showsAnswer);
  useRunKeys({
    isOn: hasShortcuts,
    seats: participants.map(({ seat }) => seat),
    onStop,
    onFocus,
    onGo: view.goTo,
  });
  if (!isThere) return null;
  const at = participants.findIndex(({ seat }) => seat === focused);
  const seat = participants[at];
  const { showsAnswer, isWide } = view;
  return (
    <div ref={stage} className={styles.stage}>
      {!alone && <StageBar participants={participants} shown={shown} showsAnswer={showsAnswer} onGo={view.goTo} />}
      {showsAnswer && <VerdictPanel onAsk={onAsk}>{children}</VerdictPanel>}
      {showsAnswer && !alone && (
        <header className={styles.head}>
          <h2>Drafts</h2>
          <Button kind="quiet" onPress={view.toggleAll}>
            {isWide ? 'Fold all' : 'Open all'}
          </Button>
        </header>
      )}
      <div
        // Where the answer takes their place, they are others, not the same ones moved.
        key={String(showsAnswer)}
        ref={drafts}
        className={styles.cards}
        data-count={participants.length}
        data-swiped={!showsAnswer}
        data-wide={isWide}
      >
        {participants.map((one, index) => (
          <div key={one.seat} className={styles.slide} data-slide={one.seat}>
            <ParticipantCard
              seat={one}
              index={index}
              isFolded={!view.isOpen(one.seat)}
              {...(!alone && { onFold: () => view.toggle(one.seat), onFocus: () => onFocus(one.seat) })}
            />
          </div>
        ))}
      </div>
      <Timeline key={`timeline ${showsAnswer}`} />
      {seat && <FocusView seat={seat} index={at} onClose={() => onFocus(undefined)} />}
    </div>
  );
}
